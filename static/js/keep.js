// The page that keeps a game: copy and share its result, where the browser can.

const text = document.querySelector("[data-text]");

function copy() {
  // Pages without a certificate have no clipboard of their own; what is selected they may copy. Where
  // even that is refused it stays selected, for the device's own way.
  text.focus();
  text.select();
  const isDone = document.execCommand("copy");
  document.querySelector("[data-copied]").hidden = !isDone;
  document.querySelector("[data-selected]").hidden = isDone;
}

function share() {
  navigator.share({ text: text.value }).catch(() => { /* they thought better of it */ });
}

export function begin() {
  if (!text) return;
  const offers = [["[data-copy]", copy, document.execCommand], ["[data-share]", share, navigator.share]];
  for (const [name, act, can] of offers) {
    const button = document.querySelector(name);
    button.hidden = !can;
    button.addEventListener("click", act);
  }
}
