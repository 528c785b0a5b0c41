// A keyboard that comes up takes half of a phone's window: the button that goes with the field is
// brought above it, as far as the field itself stays in sight.

const TYPED = "input:not([type=radio], [type=checkbox]), textarea";
const EDGE = 8;

let scale = window.visualViewport ? window.visualViewport.scale : 1;

function show() {
  const field = document.activeElement;
  const form = field && field.matches(TYPED) && field.form;
  const button = form && form.querySelector("[data-sends], button:not([type=button])");
  if (!button) return;
  const { visualViewport: view } = window;
  // Whoever spreads two fingers looks closer where they want to, and no keyboard came.
  if (view && view.scale !== scale) {
    scale = view.scale;
    return;
  }
  const top = view ? view.offsetTop : 0;
  const bar = document.querySelector(".peek");
  const floor = Math.min(top + (view ? view.height : innerHeight), bar ? bar.getBoundingClientRect().top : Infinity);
  const below = button.getBoundingClientRect().bottom + EDGE - floor;
  const room = field.getBoundingClientRect().top - EDGE - top;
  if (below > 0 && room > 0) scrollBy(0, Math.min(below, room));
}

(window.visualViewport || window).addEventListener("resize", show);
