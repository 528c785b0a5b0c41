// What fields do by themselves while somebody fills them in; each works without it too.

import { send } from "./forms.js";

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
