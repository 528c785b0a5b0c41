// A keyboard that comes up takes half of a phone's window: the button that goes with the field is
// brought above it, as far as the field itself stays in sight.

const TYPED = "input:not([type=radio], [type=checkbox]), textarea";
const EDGE = 8;

// Every page starts at its own size. What a window says before its first layout is a desk's width.
let scale = 1;

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
  // One that sticks to the window's edge begins to, or lies over the field, once it came into sight.
  for (let tries = 0; tries < 3 && bring(button, field, view); tries += 1);
}

function bring(button, field, view) {
  const top = view ? view.offsetTop : 0;
  const bar = document.querySelector(".peek");
  const floor = Math.min(top + (view ? view.height : innerHeight), bar ? bar.getBoundingClientRect().top : Infinity);
  const lies = button.getBoundingClientRect();
  const typed = field.getBoundingClientRect();
  const isOver = lies.top < typed.bottom && lies.bottom > typed.top;
  const below = Math.max(lies.bottom + EDGE - floor, isOver ? typed.bottom + EDGE - lies.top : 0);
  const room = typed.top - EDGE - top;
  const by = Math.floor(Math.min(below, room));
  if (by > 0) scrollBy(0, by);
  return by > 0;
}

(window.visualViewport || window).addEventListener("resize", show);
// One that came up before this did is there already.
show();
