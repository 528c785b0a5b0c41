// The live parts of a page: never an older one over a newer, never the same one twice.

const after = [];
let version = Number(document.body.dataset.version || 0);

// What each live part shows, as the browser writes it: also what the page was born with, so that
// a stream that starts again never replaces a form in use by the same form.
const shown = new Map();
export const parts = new Map();
document.querySelectorAll("[data-part]").forEach((node) => {
  parts.set(node.dataset.part, node);
  shown.set(node.dataset.part, node.innerHTML.trim());
});

// A stream writes a tilde for where the pictures of the page's game lie.
const { icons } = document.body.dataset;
export const hasIcons = Boolean(icons);
const spelt = (event) => (hasIcons ? event.data.split('href="~').join(`href="${icons}`) : event.data);

function fragment(html) {
  const reader = document.createElement("template");
  reader.innerHTML = html;
  return reader.content;
}

function written(content) {
  const writer = document.createElement("template");
  writer.content.append(content);
  return writer.innerHTML.trim();
}

const rewritten = (html) => written(fragment(html));

export const reached = () => version;
export const isBehind = (reached) => version < reached;
export const isAhead = (event) => Boolean(event.lastEventId) && Number(event.lastEventId) < version;
export const forget = () => shown.clear();

export function note(event) {
  if (event.lastEventId) version = Math.max(version, Number(event.lastEventId));
}

// The page says which version it shows in full; parts of a newer one may be there already.
export function complete() { document.body.dataset.version = String(version); }

// Call this with a part's name whenever one has changed, and once for the page as it was born.
export const onChange = (call) => after.push(call);
export const changed = (name) => after.forEach((call) => call(name));

// Call this with what looks at a part before it is drawn anew: it gives what is to be done after that, before
// (putBack) and after (goOn) all others hear of it.
const holders = [];
export const onDraw = (hold) => holders.push(hold);

export function receive(name, event) {
  const html = spelt(event);
  take(name, event, rewritten(html), () => swap(parts.get(name), html, "innerHTML"));
}

// Of some parts the server sends only the pieces that changed, each an element with an id; one that
// belongs into a drawing comes in a drawing without any.
export function receivePieces(name, event) {
  // What is forgotten is about to be sent whole.
  if (isAhead(event) || !shown.has(name)) return;
  const pieces = Array.from(fragment(spelt(event)).children, (piece) => (piece.id ? piece : piece.firstElementChild));
  const part = fragment(shown.get(name));
  for (const piece of pieces) part.getElementById(piece.id)?.replaceWith(piece.cloneNode(true));
  take(name, event, written(part), () => {
    for (const piece of pieces) {
      const old = document.getElementById(piece.id);
      if (piece.namespaceURI.endsWith("svg")) redraw(old, document.importNode(piece, true));
      else swap(old, piece.outerHTML, "outerHTML");
    }
  });
}

function take(name, event, html, show) {
  if (isAhead(event)) return;
  note(event);
  if (shown.get(name) === html) return;
  const part = parts.get(name);
  // What keeps a choice while its part is drawn anew comes late: till then the part waits.
  if (!holders.length && part.querySelector("[data-sent=false]")) {
    shown.delete(name);
    return;
  }
  const held = holders.map((hold) => hold(part));
  show();
  shown.set(name, html);
  held.forEach(({ putBack }) => putBack?.());
  changed(name);
  held.forEach(({ goOn }) => goOn?.());
}

// What htmx reads is never inside of a drawing; the focus stays where it was here too.
function redraw(old, piece) {
  const held = old.contains(document.activeElement) ? document.activeElement.id : "";
  old.replaceWith(piece);
  if (held) document.getElementById(held)?.focus({ preventScroll: true });
}

// htmx keeps the focus and the caret of a field that both the old and the new part have.
function swap(node, html, swapStyle) {
  htmx.swap(node, html, { swapStyle, swapDelay: 0, settleDelay: 0 });
}
