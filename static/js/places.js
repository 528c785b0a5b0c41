// Places on a map stand for the choice, the button or the fold that has their id.

function choose(place) {
  const targets = place.dataset.for.split(" ").map((id) => document.getElementById(id)).filter(Boolean);
  if (!targets.length) return;
  if (targets[0].tagName === "DETAILS") {
    const open = targets.findIndex((node) => node.open);
    targets.forEach((node) => { node.open = false; });
    if (open + 1 < targets.length) targets[open + 1].open = true;
  } else targets[0].click();
}

function isOn(id) {
  const node = document.getElementById(id);
  return Boolean(node && (node.checked || node.open));
}

export function settle() {
  document.querySelectorAll("[data-for]").forEach((place) => {
    place.classList.toggle("chosen", place.dataset.for.split(" ").some(isOn));
  });
  document.querySelectorAll("[data-with]").forEach((group) => {
    const node = document.getElementById(group.dataset.with);
    group.classList.toggle("on", Boolean(node && node.open));
  });
  document.querySelectorAll("[data-chosen]").forEach((node) => {
    const picked = node.closest("form").querySelector("input[type=radio]:checked");
    node.textContent = picked ? "· " + picked.closest("label").querySelector("span").firstElementChild.textContent : "";
  });
}

// Places are as large as a thumb, so neighbours overlap: the one whose middle is nearest is meant.
function meant(event) {
  const under = document.elementsFromPoint(event.clientX, event.clientY).filter((node) => node.matches(".touch"));
  const far = (node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    return Math.hypot((left + right) / 2 - event.clientX, (top + bottom) / 2 - event.clientY);
  };
  return under.sort((one, other) => far(one) - far(other))[0] || event.target;
}

document.addEventListener("click", (event) => {
  const place = event.target.closest("[data-for]") && meant(event).closest("[data-for]");
  if (place) choose(place);
});
document.addEventListener("change", settle);
document.addEventListener("toggle", settle, true);
