// Which term a place on a page carries: by an attribute, by the "?" beside it, by a sign that is drawn
// there, or by the action that it sends. A page is born with what signs and actions mean in its game.

const FRAMES = "section, ul, ol, dl, table, nav, main, [data-part]";
const ROWS = "li, article, header";
const CARRIERS = "a.q, [data-term], use, form";
const ACTS = "button, label, summary, [role=button], [data-for]";

const read = (name) => new Map((document.body.dataset[name] || "").split(" ").map((pair) => pair.split(":")));
const signs = read("signs");
const acts = read("acts");

// A drawing that a page holds itself has its signs under names that begin with k-.
const signOf = (use) => signs.get(use.href.baseVal.split("#").pop().replace(/^k-/, ""));

const head = () => document.querySelector("#head a.q");

// An answer about the board goes to an address of its own. What answers questions of several terms is
// of the one that is asked; the first, where no head says which.
function actOf(form) {
  const type = form.elements.namedItem("type");
  const found = acts.get(type ? type.value : (form.getAttribute("action") || "").split("/").pop());
  return found && found.endsWith("?") ? (head() ? own(head()) : found.slice(0, -1)) : found;
}

function own(node) {
  if (node.dataset.term) return node.dataset.term;
  if (node.matches("a.q")) return node.hash.slice(3);
  if (node.matches("use")) return signOf(node);
  // What sends a form is what it does; where it also chooses, its sign says more.
  if (node.matches("button:not([name])") && node.form) return actOf(node.form);
  if (node.matches("form")) return actOf(node);
  return undefined;
}

// What is not plain is not guessed: a row of many signs has no term of its own, but for its own "?".
function within(node) {
  const link = node.matches(ROWS) && node.querySelector("a.q");
  if (link) return own(link);
  // A fold is for what it sends.
  const carriers = node.matches("details") ? "form" : CARRIERS;
  const found = new Set(Array.from(node.querySelectorAll(carriers), own).filter(Boolean));
  return found.size === 1 ? Array.from(found)[0] : undefined;
}

// In a drawing what can be tapped lies over what it stands for. A seat's mark is no sign, but part of a piece.
function drawn(node) {
  if (!(node instanceof SVGElement)) return undefined;
  const isSign = node.matches("use:not([href^='#m'])");
  return isSign ? signOf(node) : node.closest("[data-term]")?.dataset.term;
}

export const isActing = (target) => Boolean(target.closest(ACTS));

// Where nothing says more, what acts belongs to what is asked, and that has its "?" in the head.
function asked(target) {
  const part = isActing(target) && target.closest("[data-part]");
  return part && part.id !== "notice" && head() ? own(head()) : undefined;
}

export function termAt(target, x, y) {
  const picture = target.closest("svg") && document.elementsFromPoint(x, y).map(drawn).find(Boolean);
  if (picture) return picture;
  for (let node = target; node; node = node.parentElement) {
    const isFrame = node.matches(FRAMES) && !node.matches(ROWS);
    const found = own(node) || (isFrame ? undefined : within(node));
    if (found) return found;
    if (isFrame) break;
  }
  const around = target.closest("[data-term]");
  return around ? around.dataset.term : asked(target);
}
