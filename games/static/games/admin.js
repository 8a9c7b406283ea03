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
// The replay plays itself: it follows the link to the next version once a second until there is none.
let playing = 0;
function replayButton() {
  const button = document.querySelector("[data-play]");
  if (!button) return;
  button.hidden = false;
  if (playing) button.textContent = button.dataset.play;
}
async function fresh(address, ids) {
  const answer = await fetch(address, { credentials: "same-origin" });
  if (!answer.ok || answer.redirected) return null;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const id of ids) {
    const [old, now] = [document.getElementById(id), page.getElementById(id)];
    if (old && now && !old.contains(document.activeElement)) old.replaceWith(now);
  }
  replayButton();
  return page;
}
async function play() {
  const [slider, next] = [document.querySelector(".qx-slider input[type=range]"), document.getElementById("next-version")];
  if (slider.value === slider.max) return stop();
  document.activeElement.blur();
  if (!(await fresh(next.href, ["replay"]))) stop();
}
function stop() {
  clearInterval(playing);
  playing = 0;
  location.reload();
}
document.addEventListener("click", (event) => {
  if (!event.target.matches("[data-play]")) return;
  if (playing) return stop();
  playing = setInterval(play, 1000);
  play();
});
// Parts that change while the page is open are fetched again; not while the page is hidden.
function follow() {
  replayButton();
  const parts = [...document.querySelectorAll("[data-live][id]")];
  if (!parts.length) return;
  const seconds = Math.min(...parts.map((part) => Number(part.dataset.live)));
  setInterval(() => {
    if (!document.hidden && !playing) fresh(location.href, parts.map((part) => part.id)).catch(() => {});
  }, seconds * 1000);
}
document.addEventListener("DOMContentLoaded", follow);
