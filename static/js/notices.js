// What a page says for a moment: a word about the last tap, and the badge of a lost line.

const badge = document.getElementById("offline");
const lost = badge.textContent;
let timer = null;

export function say(text, isBad) {
  hush();
  const node = document.getElementById(isBad ? "warned" : "said");
  // Only a change is read aloud, so the same words twice need an empty moment between them.
  timer = setTimeout(() => {
    node.textContent = text;
    timer = setTimeout(hush, 5000);
  }, 30);
}

// What was said of an earlier tap says nothing of one that succeeded.
export function hush() {
  clearTimeout(timer);
  for (const id of ["warned", "said"]) document.getElementById(id).textContent = "";
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
