// The slider of a replay: says the version while it is moved, and shows it when it is let go. Without it the button does.
document.addEventListener("input", (event) => {
  const output = event.target.closest(".qx-slider")?.querySelector("output");
  if (output) output.value = event.target.value;
});
document.addEventListener("change", (event) => {
  if (event.target.matches(".qx-slider input")) event.target.form.submit();
});
// What cannot be taken back is asked about once more.
document.addEventListener("submit", (event) => {
  const question = event.target.dataset.sure;
  if (question && !confirm(question)) event.preventDefault();
});
