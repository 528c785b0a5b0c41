// Whose ranch one looks at stays in sight while the ranches are drawn anew.

let left = 0;

document.addEventListener("scroll", (event) => {
  if (event.target instanceof Element && event.target.matches(".strip")) left = event.target.scrollLeft;
}, true);

export function settle() {
  const strip = document.querySelector("#strip .strip");
  if (strip && strip.scrollLeft !== left) strip.scrollLeft = left;
}
