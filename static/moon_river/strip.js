// Whose ranch one looks at stays in sight while the ranches are drawn anew.

let left = 0;
let known = null;

document.addEventListener("scroll", (event) => {
  if (event.target instanceof Element && event.target.matches(".strip")) left = event.target.scrollLeft;
}, true);

// Only where they were drawn anew: to ask where a strip stands makes a browser lay out the whole page.
export function settle() {
  const strip = document.querySelector("#strip .strip");
  if (strip && strip !== known && left) strip.scrollLeft = left;
  known = strip;
}
