// A tap on "?", or a finger that rests, tells what a word means, over the page: no form is lost.
// The whole glossary is fetched, once: no request says what somebody reads.

const address = document.body.dataset.terms;
const box = document.createElement("dialog");
let whole = null;
let rest = null;
let shut = null;
let rested = false;

function fetched() {
  if (!whole) whole = fetch(address).then((answer) => answer.ok ? answer.text() : Promise.reject());
  return whole.catch(() => { whole = null; return ""; });
}

async function show(id, from) {
  box.innerHTML = await fetched();
  if (!box.firstChild || box.open) return;
  const all = box.querySelector("[data-all]");
  const only = (one) => {
    for (const term of box.firstChild.children) term.hidden = one && term.id !== one;
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
  if (from.closest("[data-peek]")) shut = setTimeout(() => box.close(), 15000);
}

function restsOn(word) {
  const link = word.querySelector("a.q");
  const id = word.dataset.term ? `t-${word.dataset.term}` : link && link.hash.slice(1);
  if (id) rest = setTimeout(() => { rested = true; show(id, link || word); }, 500);
}

if (address && box.showModal) {
  document.body.append(box);
  addEventListener("pointerdown", (event) => {
    rested = false;
    const word = event.target.closest("[data-term], li, article");
    if (event.target.closest("a.q, [data-term]")) fetched();
    if (word && !event.target.closest("a, button")) restsOn(word);
  });
  for (const name of ["pointerup", "pointercancel", "scroll"]) addEventListener(name, () => clearTimeout(rest), true);
  // A rest ends with a click, for nothing that lies there.
  addEventListener("click", (event) => {
    const link = event.target.closest("a.q");
    if (rested || link) event.preventDefault();
    if (rested) event.stopPropagation();
    else if (link) show(link.hash.slice(1), link);
    else if (event.target === box) box.close();
    rested = false;
  }, true);
  addEventListener("contextmenu", (event) => { if (rested) event.preventDefault(); });
  addEventListener("visibilitychange", () => { if (document.hidden && box.open) box.close(); }, true);
}
