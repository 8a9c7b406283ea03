// The slider of a replay shows the version while it moves and submits when it is released; without scripts a button submits.
document.addEventListener("input", (event) => {
  const output = event.target.closest(".qx-slider")?.querySelector("output");
  if (output) output.value = event.target.value;
});
document.addEventListener("change", (event) => {
  if (event.target.matches(".qx-slider input")) event.target.form.submit();
});
// Irreversible actions ask for confirmation.
document.addEventListener("submit", (event) => {
  const question = event.target.dataset.sure;
  if (question && !confirm(question)) event.preventDefault();
});
