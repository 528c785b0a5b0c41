// The cells of a ranch without a finger: Tab reaches one of them, arrows go on from there, Enter or
// the space bar taps it. Rows count from the river, which is drawn at the bottom. Where nothing is to
// be tapped they are read out alone.

const WIDTH = 5;
const STEPS = { ArrowRight: 1, ArrowLeft: -1, ArrowUp: WIDTH, ArrowDown: -WIDTH };
const last = new Map();

const ranchOf = (spot) => spot.closest("[data-ranch]");
const isOpen = (ranch) => Boolean(ranch.querySelector(".open"));
const spotsOf = (ranch) => Array.from(ranch.querySelectorAll(".spot[data-at]"));

function onKey(event) {
  const spot = event.target.closest && event.target.closest("#strip .spot[data-at]");
  if (!spot || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    spot.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  } else if (event.key in STEPS) {
    event.preventDefault();
    const next = beside(spot, STEPS[event.key]);
    if (next) next.focus();
  }
}

// The next cell in a direction; one that the board covers is passed over.
function beside(spot, step) {
  const all = new Map(spotsOf(ranchOf(spot)).map((each) => [Number(each.dataset.at), each]));
  const most = Math.max(...all.keys());
  const isAcross = Math.abs(step) === 1;
  const from = Number(spot.dataset.at);
  for (let at = from + step; at >= 0 && at <= most; at += step) {
    if (isAcross && Math.floor(at / WIDTH) !== Math.floor(from / WIDTH)) return null;
    if (all.has(at)) return all.get(at);
  }
  return null;
}

function onFocus(event) {
  const spot = event.target.closest && event.target.closest("#strip .spot[data-at]");
  if (!spot) return;
  last.set(ranchOf(spot).dataset.ranch, spot.dataset.at);
  settle();
}

document.addEventListener("keydown", onKey);
document.addEventListener("focusin", onFocus);

function close(spot) {
  spot.setAttribute("role", "img");
  if (document.activeElement === spot) spot.blur();
  spot.tabIndex = -1;
}

// Of each ranch Tab reaches the cell where one was, else the first where something fits.
export function settle() {
  document.querySelectorAll("#strip [data-ranch]").forEach((ranch) => {
    const spots = spotsOf(ranch);
    if (!isOpen(ranch)) {
      spots.filter((spot) => spot.getAttribute("role") === "button").forEach(close);
      return;
    }
    const at = last.get(ranch.dataset.ranch);
    const first = spots.find((spot) => spot.dataset.at === at) || spots.find((spot) => spot.matches(".begins")) || spots[0];
    spots.forEach((spot) => {
      spot.setAttribute("role", "button");
      spot.tabIndex = spot === first ? 0 : -1;
    });
  });
}
