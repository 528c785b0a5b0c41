// Parts of one moment come one after another. A page that is shorter in between would let whoever reads far down
// come up with its end: it stays as long as it is until all of them are there.

// Beside the page, and not a height of its own: a browser keeps what is read in its place only where none changes.
const strut = document.createElement("div");
Object.assign(strut.style, { position: "absolute", top: 0, width: "1px", visibility: "hidden" });
const after = [];

export function keepLength() {
  if (scrollY > 0 && !strut.isConnected) {
    strut.style.height = document.documentElement.scrollHeight + "px";
    document.body.append(strut);
  }
  return {};
}

// Call this with what is to be done once all parts of a moment are there.
export const whenWhole = (call) => after.push(call);

new MutationObserver(() => {
  strut.remove();
  after.forEach((call) => call());
}).observe(document.body, { attributeFilter: ["data-version"] });
