// Overflow, clipped text and controls over one another. An element that shortens its text with an ellipsis is meant to.
() => {
  const found = [];
  const text = (each) => (each.textContent ?? "").trim().slice(0, 30);
  const name = (each) => `${each.tagName.toLowerCase()}.${[...each.classList].join(".")} "${text(each)}"`;
  const shown = (each) => each.checkVisibility() && !each.closest(".hidden, .toast, .skip");
  if (document.documentElement.scrollWidth > innerWidth) found.push(`overflow: ${document.documentElement.scrollWidth} > ${innerWidth}`);
  for (const each of document.querySelectorAll("qx-app *")) {
    if (!shown(each) || each.closest("svg") || !each.innerText?.trim()) continue;
    const style = getComputedStyle(each);
    if (style.clipPath !== "none" || style.textOverflow === "ellipsis" || each.clientWidth < 2) continue;
    const cutsX = ["hidden", "clip"].includes(style.overflowX) && each.scrollWidth > each.clientWidth + 1;
    const cutsY = ["hidden", "clip"].includes(style.overflowY) && each.scrollHeight > each.clientHeight + 2;
    if (cutsX || cutsY) found.push(`clipped: ${name(each)}`);
  }
  const isLoose = (each) => shown(each) && !each.matches(".over, .cell") && !each.closest(".places");
  const controls = [...document.querySelectorAll("qx-app :is(a, button, select, summary)")].filter(isLoose);
  const inside = ({ left, right, top, bottom }) => ({ left: left + 2, right: right - 2, top: top + 2, bottom: bottom - 2 });
  const boxes = controls.map((each) => [each, inside(each.getBoundingClientRect())]);
  boxes.forEach(([one, a], place) => boxes.slice(place + 1).forEach(([other, b]) => {
    if (one.contains(other) || other.contains(one) || one.closest(".coach") || other.closest(".coach")) return;
    if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom) found.push(`overlap: ${name(one)} and ${name(other)}`);
  }));
  return found;
}
