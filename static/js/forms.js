// Forms and dialogs that do a little by themselves; each works without it too.

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

function send(form) {
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

// Of so many boxes and no more: a further tick takes back another one.
document.addEventListener("change", (event) => {
  const form = event.target.closest("form[data-exactly]");
  if (!form) return;
  const ticked = Array.from(form.querySelectorAll("input[type=checkbox]:checked"));
  if (ticked.length > Number(form.dataset.exactly)) ticked.find((box) => box !== event.target).checked = false;
});
// The sentence under an option is that of the value which is chosen.
document.addEventListener("change", (event) => {
  const says = event.target.matches("select") ? event.target.parentElement.querySelectorAll("[data-says]") : [];
  for (const each of says) each.hidden = each.dataset.says !== event.target.value;
});
document.addEventListener("change", (event) => { if (event.target.matches("[data-submit]")) send(event.target.form); });

// So many signs as a person counts them, and no more: an emoji of eleven units is one. What is being
// composed is left alone until it is there.
document.addEventListener("input", (event) => {
  const most = Number(event.target.dataset.signs);
  if (!most || event.isComposing || !("Segmenter" in Intl)) return;
  const signs = Array.from(new Intl.Segmenter().segment(event.target.value));
  if (signs.length > most) event.target.value = event.target.value.slice(0, signs[most].index);
});

export function begin() {
  // A phone adds its own randomness to what the app deals.
  document.querySelectorAll("form[data-mix]").forEach((form) => { form.elements.mix.value = random(); });
  document.querySelectorAll("form[data-autosubmit-now]").forEach(send);
  const refresh = document.querySelector("[data-refresh]");
  if (refresh) setTimeout(anew, Number(refresh.dataset.refresh));
}
