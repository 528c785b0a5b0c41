// Whoever plays with a keyboard or a screen reader keeps their place: at the same control where it is
// still there, else at the words of the part where they were, and never at the top of the page.

const WORDS = "h1, .ask, h2, p, legend, summary, label";
const ACTS = "a[href], button, input, select, textarea, summary, [tabindex]";
const LATE = 1500;

let actedIn = null;
let from = null;
let isElsewhere = false;

// The same control of the same question, as it is read out: what says something else by now is another.
export function nameOf(node) {
  const type = node.form && node.form.elements.namedItem("type");
  const isTyped = node.matches("input:not([type=radio], [type=checkbox]), select, textarea");
  const fold = node.matches("summary") && node.parentElement.dataset.fold;
  const said = isTyped ? "" : fold || node.getAttribute("aria-label") || (node.closest("label") || node).textContent;
  return [node.tagName, node.form && node.form.getAttribute("action"), type && type.value, node.name,
    isTyped ? "" : node.value, node.dataset.step, node.getAttribute("href"), said.replace(/\s+/g, " ").trim()].join("\n");
}

const alike = (part, name) => Array.from(part.querySelectorAll(ACTS)).filter((node) => nameOf(node) === name);

function goTo(node) {
  if (!node.matches(ACTS)) node.tabIndex = -1;
  node.focus({ preventScroll: true });
  return document.activeElement === node;
}

const isLost = () => document.activeElement === document.body || document.activeElement === null;

// Where they acted they go on at the words, and not at the next button. A display lays its main part out
// as if it were not there, and nothing goes to what is not.
function goOnAt(part) {
  const around = document.querySelectorAll("#head .turn, main, h1");
  [...part.querySelectorAll(WORDS), ...around].some(goTo);
}

// Who answered far down a page sees the next question, and who has scrolled or typed since is left alone.
function showNext(part, answered) {
  const words = part.querySelector(WORDS);
  if (!words || isElsewhere || words.textContent === answered) return;
  const { top, bottom } = words.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) words.scrollIntoView({ block: "center" });
}

// Who comes back from another page to be asked something sees what it is, and what the table asks first.
export function arrive() {
  const part = document.getElementById("ask");
  const isWaiting = document.body.matches(".waiting") || document.querySelector("#notice form.note");
  if (part && !isWaiting && !scrollY && document.referrer.startsWith(location.origin)) showNext(part);
}

// Call this before a part is drawn anew, and what it gives after that.
export function keepPlace(part) {
  const { activeElement } = document;
  const hasActed = part === actedIn;
  const held = part.contains(activeElement) ? activeElement : null;
  if (!held && !hasActed) return {};
  const name = held && !hasActed ? nameOf(held) : "";
  const at = name ? alike(part, name).indexOf(held) : -1;
  const words = part.querySelector(WORDS), answered = words && words.textContent;
  const goOn = () => {
    if (hasActed) {
      actedIn = null;
      showNext(part, answered);
    }
    if (!isLost()) return;
    const same = at < 0 ? undefined : alike(part, name)[at];
    if (!same || !goTo(same)) goOnAt(part);
  };
  return { goOn };
}

// For what is hidden while it has the focus.
export function leave(hidden, next) {
  if (hidden.contains(document.activeElement)) goTo(next);
}

// A button that acts sleeps meanwhile, and a browser takes the focus from what sleeps.
document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt } = event.detail;
  actedIn = elt.closest("[data-part]");
  isElsewhere = false;
  from = elt.contains(document.activeElement) ? document.activeElement : null;
});

for (const own of ["touchmove", "wheel", "keydown", "input"]) {
  document.addEventListener(own, () => { isElsewhere = true; }, { capture: true, passive: true });
}

// Refused, or nothing changed by it: they are where they were. What will be drawn anew is not gone
// back to, or a second Enter would do it twice.
document.addEventListener("htmx:afterRequest", (event) => {
  const was = from;
  const back = () => { if (was && was.isConnected && isLost()) goTo(was); };
  if (event.detail.successful) setTimeout(back, LATE);
  else setTimeout(back);
});
