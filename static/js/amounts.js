// Amounts: steps up and down within what is allowed, and the amount on the button as people write it.

const digits = (text) => Number(String(text).replace(/\D/g, ""));

// A stepper says what its amounts are; one that names no currency counts things.
function written(amount, currency) {
  const asMoney = { style: "currency", currency, currencyDisplay: "narrowSymbol", maximumFractionDigits: 0 };
  return new Intl.NumberFormat(document.documentElement.lang, currency ? asMoney : {}).format(amount);
}

function echo(stepper) {
  const form = stepper.closest("form");
  restrain(stepper, form && form.querySelector("[data-sends]"));
  const node = form && form.querySelector("[data-echo]");
  const input = stepper.querySelector("[data-amount]");
  if (!node || !input) return;
  const amount = digits(input.value);
  node.textContent = amount ? written(amount, stepper.dataset.currency) : "";
}

// What was handed in already is not handed in again: its button sleeps until the amount differs.
function restrain(stepper, button) {
  if (!button || stepper.dataset.was === undefined) return;
  button.disabled = digits(stepper.querySelector("[data-amount]").value) === Number(stepper.dataset.was);
}

function take(step) {
  const stepper = step.closest("form").querySelector(".stepper");
  const input = stepper.querySelector("[data-amount]");
  const wanted = digits(input.value) + Number(step.dataset.step);
  input.value = String(Math.min(Number(stepper.dataset.most), Math.max(Number(stepper.dataset.least), wanted)));
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

export const settle = () => document.querySelectorAll(".stepper").forEach(echo);

document.addEventListener("input", (event) => {
  if (event.target.matches("[data-amount]")) echo(event.target.closest(".stepper"));
});
document.addEventListener("click", (event) => {
  const step = event.target.closest("[data-step]");
  if (step) take(step);
});
