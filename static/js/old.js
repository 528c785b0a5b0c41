// Old browsers cannot style what holds a checked box (:has): there a class says it instead.

export function settle() {
  if (window.CSS && CSS.supports && CSS.supports("selector(:has(*))")) return;
  document.querySelectorAll("label input[type=radio], label input[type=checkbox]").forEach((input) => {
    input.closest("label").classList.toggle("chosen", input.checked);
  });
}
document.addEventListener("change", settle);
