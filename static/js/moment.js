// A scene on the display: shown once, as it happens; gone by itself, or at any tap or key.

const LEAST = 5000;
const EACH = 900;

let newest = 0;
let timer = null;

function end() {
  clearTimeout(timer);
  document.querySelectorAll("[data-moment].shown").forEach((node) => node.classList.remove("shown"));
}

// What the page was born with has been seen; so has what was there before something was taken back.
export function settle(name) {
  const node = document.querySelector("[data-moment]");
  const number = node ? Number(node.dataset.moment) : 0;
  if (name === "moment" && number > newest) {
    node.classList.add("shown");
    clearTimeout(timer);
    timer = setTimeout(end, LEAST + EACH * node.querySelectorAll("li").length);
  }
  newest = Math.max(newest, number);
}

for (const name of ["pointerdown", "keydown"]) document.addEventListener(name, end, true);
