// The extras of any sheet: signs on cells, and fields beside the rows. Decides nothing.

import { html, nothing } from "./element.js";
import { shape } from "./pictures.js";
import { has, named, t } from "./words.js";

const SIGNS = ["●", "▲", "■", "◆", "★"]; // one for each clause's special cells
const letter = (place) => String.fromCharCode(65 + place); // one for each link, at both its ends

function note(signs, [row, column], sign) {
  const key = `${row} ${column}`;
  signs.set(key, (signs.get(key) ?? "") + sign);
}

const drawn = new WeakMap(); // sheet → its signs

// "row column" → the signs that are printed there.
export function signsOf(printed) {
  if (drawn.has(printed)) return drawn.get(printed);
  const signs = new Map();
  (printed.extras ?? []).forEach(({ cells = [], links = [] }, clause) => {
    for (const cell of cells) note(signs, cell, SIGNS[clause % SIGNS.length]);
    links.forEach((link, place) => link.forEach((cell) => note(signs, cell, letter(place))));
  });
  drawn.set(printed, signs);
  return signs;
}

// Cells that hold two crosses.
export function isTwice(pad, row, column) {
  return (pad?.extras ?? []).some(({ twice = [] }) => twice.some((cell) => cell[0] === row && cell[1] === column));
}

function field({ colour, numbers }, isUsed) {
  const label = t(isUsed ? "extras.used" : "extras.free", { field: numbers ? numbers.join(" ⇄ ") : named("colour", colour) });
  return html`<li data-colour=${colour ?? "none"} ?data-used=${isUsed}><span aria-hidden="true">${numbers ? numbers.join("⇄") : shape(colour)}</span><span class="hidden">${label}</span></li>`;
}

function sign({ cells, links }, clause, done) {
  if (cells) return html`<b>${SIGNS[clause % SIGNS.length]}</b>`;
  return (links ?? []).map((_, place) => html`<b ?data-used=${done.includes(place)}>${letter(place)}</b>`);
}

// The fields of each clause, used or not, and its explanation where there is room.
export function extras(printed, pad, compact) {
  return (printed.extras ?? []).map((each, clause) => {
    const { used = 0, done = [] } = pad?.extras?.[clause] ?? {};
    return html`<div class="extra">
      ${each.track ? html`<ol class="track" aria-label=${named("clause_name", each.key)}>${each.track.map((one, place) => field(one, place < used))}</ol>` : nothing}
      ${compact || !has(`clause.${each.key}`) ? nothing : html`<p class="muted">${sign(each, clause, done)} ${t(`clause.${each.key}`)}</p>`}
    </div>`;
  });
}
