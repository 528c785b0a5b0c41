// What a page says for a moment: a word about the last tap, and the badge of a lost line.

const badge = document.getElementById("offline");
const lost = badge.textContent;
let timer = null;

export function say(text, isBad) {
  const node = document.getElementById(isBad ? "warned" : "said");
  node.textContent = "";
  // Only a change is read aloud, so the same words twice need an empty moment between them.
  setTimeout(() => { node.textContent = text; }, 30);
  clearTimeout(timer);
  timer = setTimeout(() => { node.textContent = ""; }, 5000);
}

// The sentences for what the server cannot say itself come with the page, in its language.
export const sentence = (name) => badge.dataset[name];

// The band lies over the end of the page: what is held fast there makes room for it.
function room() {
  const { style } = document.documentElement;
  const is = badge.hidden ? "" : badge.offsetHeight + "px";
  if (style.getPropertyValue("--band") !== is) style.setProperty("--band", is);
}
addEventListener("resize", room);

export function offline(is, why) {
  if (why) badge.textContent = sentence(why) || lost;
  badge.hidden = !is;
  room();
}
