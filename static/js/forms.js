// Forms and dialogs that do a little by themselves; each works without it too. Fields: fields.js.

import { anew } from "./anew.js";
import { say, sentence } from "./notices.js";
import { random } from "./random.js";

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-dialog]");
  if (opener) open(document.getElementById(opener.dataset.dialog));
  const dialog = event.target.closest("dialog");
  if (dialog && event.target === dialog && dialog.close) dialog.close();
});

// Old browsers know no dialogs, and send no form by themselves as a button would.
function open(dialog) {
  if (dialog.showModal) dialog.showModal();
  else dialog.setAttribute("open", "");
}

export function send(form) {
  if (form.requestSubmit) form.requestSubmit();
  else form.submit();
}

// What a browser would say in a bubble of its own, in its own language, the page says itself.
document.addEventListener("invalid", (event) => {
  event.preventDefault();
  say(sentence("missing"), true);
}, true);

// A button tapped before the choice that goes with it waits for that, and is completed by it.
document.addEventListener("click", (event) => {
  const button = event.target.closest("form[data-waits] button[name]");
  if (!button || !button.form.matches(":invalid")) return;
  event.preventDefault();
  drop(button.form);
  button.setAttribute("aria-pressed", "true");
}, true);
document.addEventListener("change", (event) => {
  const form = event.target.form;
  const button = form && form.matches("[data-waits]") && form.querySelector("[aria-pressed=true]");
  if (!button || form.matches(":invalid")) return;
  drop(form);
  button.click();
});

function drop(form) {
  form.querySelectorAll("[aria-pressed]").forEach((button) => button.removeAttribute("aria-pressed"));
}

export function begin() {
  // A phone adds its own randomness to what the app deals.
  document.querySelectorAll("form[data-mix]").forEach((form) => { form.elements.mix.value = random(); });
  document.querySelectorAll("form[data-autosubmit-now]").forEach(send);
  const refresh = document.querySelector("[data-refresh]");
  if (refresh) setTimeout(anew, Number(refresh.dataset.refresh));
}
