// What somebody chose or typed outlives that its part is drawn anew: what others do at the same
// time changes the map beside a choice, not the choice. What was sent is no longer being chosen,
// and must not stand there again: it may be a secret.

const SENT = "[data-sent=true]";
const FIELDS = "input, select, textarea";

// What is hidden is never touched: to set its value sets what it was born with.
export const isChoice = (node) => node.type === "radio" || node.type === "checkbox";

export function isTouched(node) {
  if (isChoice(node)) return node.checked !== node.defaultChecked;
  if (node.multiple) return Array.from(node.options).some((option) => option.selected !== option.defaultSelected);
  // Where the page names none the first one is chosen.
  if (node.options) {
    const born = Array.from(node.options, (option) => option.defaultSelected).lastIndexOf(true);
    return node.selectedIndex !== Math.max(0, born);
  }
  return node.value !== node.defaultValue;
}

// The same field of the same question, wherever it stands by then. A form that one tap sends as soon
// as it is whole must be of the same moment too: what was touched before belongs to what is settled.
export function nameOf(node) {
  const hidden = (name) => (node.form.elements.namedItem(name) || { value: "" }).value;
  const when = node.form.hasAttribute("data-waits") ? hidden("version") : "";
  return [node.form.getAttribute("action"), hidden("type"), when, node.name, isChoice(node) ? node.value : ""].join("\n");
}

export const inForms = (part) => Array.from(part.querySelectorAll(FIELDS)).filter((node) => node.form && node.name);

export function restore(node, value) {
  if (value === undefined || node.disabled) return;
  if (isChoice(node)) node.checked = value;
  else if (!node.options || Array.from(node.options).some((option) => option.value === value)) node.value = value;
}

// Give what puts it back once the part is new.
export function keep(part) {
  const held = new Map();
  for (const node of inForms(part)) {
    if (!node.form.matches(SENT) && isTouched(node)) held.set(nameOf(node), isChoice(node) ? node.checked : node.value);
  }
  const isSent = part.querySelector(SENT);
  const open = new Map(isSent ? [] : unnamed(part).map(([name, fold]) => [name, fold.open]));
  const putBack = () => {
    inForms(part).forEach((node) => restore(node, held.get(nameOf(node))));
    unfold(part);
    for (const [name, fold] of unnamed(part)) fold.open = open.get(name) ?? fold.open;
  };
  return { putBack };
}

// A fold stays as somebody left it, however often what is in it changes.
const folds = new Map();
// Those too that were left so before this was there.
for (const { parentElement: fold } of document.querySelectorAll("[data-fold] > [data-sent]")) folds.set(fold.dataset.fold, fold.open);
document.addEventListener("click", (event) => {
  const fold = event.target.closest("summary")?.closest("[data-fold]");
  if (fold) folds.set(fold.dataset.fold, !fold.open);
});

// One without a name stays so while what it says is the same: after acting there is another question.
// Of several that say the same each is known by which of them it is.
function unnamed(part) {
  const count = new Map();
  return Array.from(part.querySelectorAll("details:not([data-fold])"), (fold) => {
    const said = (fold.matches(".sure") ? fold : fold.querySelector("summary")).textContent;
    count.set(said, (count.get(said) || 0) + 1);
    return [`${said}\n${count.get(said)}`, fold];
  });
}

function unfold(part) {
  part.querySelectorAll("[data-fold]").forEach((fold) => {
    if (folds.has(fold.dataset.fold)) fold.open = folds.get(fold.dataset.fold);
  });
}
