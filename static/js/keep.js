// The page that keeps a game: copy and share its result, where the browser can.

const text = document.querySelector("[data-text]");

function copy() {
  // Pages without a certificate have no clipboard of their own; what is selected they may copy.
  text.select();
  document.execCommand("copy");
  document.querySelector("[data-copied]").hidden = false;
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
