// A way is a choice of one or two cells: tap where it begins, tap the neighbour or tap again to turn.

const SVG = "http://www.w3.org/2000/svg";

const form = () => document.querySelector("#ask [data-ways]");
const ranch = () => document.querySelector("#strip .ranch.mine");
const inputs = () => Array.from(form().querySelectorAll("input[data-cells]"));
const cells = (input) => input.dataset.cells.split(" ");
const chosen = () => inputs().find((input) => input.checked);

function choose(input) {
  if (!input) return;
  input.checked = true;
  input.dispatchEvent(new Event("input", { bubbles: true }));
  settle();
}

// The next way that begins at the same cell; a way that is the only one there stays.
function turned(now) {
  const same = inputs().filter((input) => cells(input)[0] === cells(now)[0]);
  return same[(same.indexOf(now) + 1) % same.length];
}

function tapped(at) {
  const now = chosen();
  const all = inputs();
  if (now && cells(now)[0] !== at) {
    const beside = all.find((input) => cells(input)[0] === cells(now)[0] && cells(input)[1] === at);
    if (beside && beside !== now) return beside;
  }
  if (now && cells(now).includes(at)) return turned(now);
  const here = all.filter((input) => cells(input)[0] === at);
  const kept = now && here.find((input) => input.dataset.turn === now.dataset.turn);
  return kept || here[0] || all.find((input) => cells(input)[1] === at);
}

document.addEventListener("click", (event) => {
  if (!form()) return;
  const spot = event.target.closest("#strip .mine [data-at]");
  if (spot) choose(tapped(spot.dataset.at));
  if (event.target.closest("[data-rotate]")) choose(chosen() ? turned(chosen()) : inputs()[0]);
});
document.addEventListener("change", (event) => { if (event.target.matches("[data-ways] input")) settle(); });

// Show what is chosen: the domino as a ghost where it would lie, lit cells where it could begin.
export function settle() {
  const own = ranch();
  if (!own) return;
  const ghost = own.querySelector(".ghost");
  const now = form() && chosen();
  light(own, now);
  ghost.replaceChildren(...(now ? ghosts(own, now) : []));
  ghost.toggleAttribute("hidden", !now);
}

function light(own, now) {
  const all = form() ? inputs() : [];
  const begins = new Set(all.map((input) => cells(input)[0]));
  const reached = new Set(all.flatMap(cells));
  const ends = new Set(now ? all.filter((input) => cells(input)[0] === cells(now)[0]).map((input) => cells(input)[1]) : []);
  own.querySelectorAll(".spot").forEach((spot) => {
    const at = spot.dataset.at;
    spot.classList.toggle("lit", reached.has(at));
    spot.classList.toggle("begins", begins.has(at));
    spot.classList.toggle("ends", ends.has(at));
    const isNow = Boolean(now) && cells(now).includes(at);
    spot.classList.toggle("now", isNow);
    if (form()) say(spot, isNow ? "cellChosen" : begins.has(at) ? "cellBegins" : reached.has(at) ? "cellEnds" : "cellNone");
  });
  const said = form() && form().querySelector("[data-said]");
  if (said) said.textContent = now ? now.closest("label").textContent.replace(/\s+/g, " ").trim() : "";
}

// Whoever hears the page is told of each cell whether it is lit.
function say(spot, how) {
  spot.dataset.name = spot.dataset.name || spot.getAttribute("aria-label");
  spot.setAttribute("aria-label", `${spot.dataset.name}, ${form().dataset[how]}`);
}

function ghosts(own, now) {
  const places = cells(now).map((at) => own.querySelector(`.spot[data-at="${at}"]`)).filter(Boolean);
  return places.map((place, half) => {
    const group = document.createElementNS(SVG, "g");
    group.setAttribute("transform", `translate(${place.getAttribute("x")} ${place.getAttribute("y")})`);
    const face = form().querySelector(`[data-face="${half}"]`);
    if (face) group.append(...Array.from(face.childNodes, (node) => node.cloneNode(true)));
    else if (now.dataset.land) group.append(landscape(now));
    return group;
  });
}

function landscape(now) {
  const use = now.closest("label").querySelector("use").cloneNode(true);
  for (const name of ["width", "height"]) use.setAttribute(name, "64");
  return use;
}
