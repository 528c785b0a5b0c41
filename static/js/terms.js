// What a word means: a tap on its "?", or a finger that rests on it, tells it over the page, where no form is lost.
// The whole glossary is fetched, once, whatever is asked for: no request says what somebody reads.

const REST = 500;
const SECRET = 15000;
const address = document.body.dataset.terms;
const box = document.createElement("dialog");
let whole = null;
let rest = null;
let shut = null;
let rested = false;

function fetched() {
  if (!whole) whole = fetch(address).then((answer) => (answer.ok ? answer.text() : Promise.reject(answer.status)));
  return whole.catch(() => { whole = null; return ""; });
}

async function show(id, from) {
  box.innerHTML = await fetched();
  if (!box.firstChild || box.open) return;
  const all = box.querySelector("[data-all]");
  const only = (one) => {
    for (const term of box.querySelector("dl").children) term.hidden = Boolean(one) && term.id !== one;
    all.hidden = !one;
  };
  only(id);
  all.onclick = () => { only(""); box.querySelector("button").focus(); box.scrollTop = 0; };
  // Its link may have been drawn anew meanwhile.
  box.onclose = () => {
    clearTimeout(shut);
    const again = from.isConnected ? from : [...document.querySelectorAll("a.q")].find((link) => link.href === from.href);
    if (again) again.focus();
  };
  box.showModal();
  if (from.closest("[data-peek]")) shut = setTimeout(() => box.close(), SECRET);
}

if (address && box.showModal) {
  document.body.append(box);
  document.addEventListener("pointerdown", (event) => {
    rested = false;
    const word = event.target.closest("a.q, [data-term]");
    if (!word) return;
    fetched();
    if (word.dataset.term) rest = setTimeout(() => { rested = true; show(`t-${word.dataset.term}`, word); }, REST);
  });
  for (const name of ["pointerup", "pointercancel", "scroll"]) addEventListener(name, () => clearTimeout(rest), true);
  // The click that a resting finger ends with is for nothing that lies there.
  addEventListener("click", (event) => {
    const link = event.target.closest("a.q");
    if (rested || link) event.preventDefault();
    if (rested) event.stopPropagation();
    else if (link) show(link.hash.slice(1), link);
    else if (event.target === box) box.close();
    rested = false;
  }, true);
  document.addEventListener("contextmenu", (event) => { if (event.target.closest("[data-term]")) event.preventDefault(); });
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden" && box.open) box.close(); });
}
