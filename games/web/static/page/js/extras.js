// The extras of any sheet: signs on cells, and fields beside the rows. Decides nothing.

import { html, nothing } from "./element.js";
import { shape } from "./pictures.js";
import { has, named, t } from "./words.js";

const SIGNS = { bonus_bar: "+1", double_cells: "×2", steps: "★" }; // on a clause's special cells; not the shapes of the colours
const signOf = ({ key }) => SIGNS[key] ?? "✱";
const letter = (place) => String.fromCharCode(65 + place); // one for each link, at both its ends

const bySeat = new WeakMap(); // printing → the sheet with the extras of this printing

// The sheet as it is printed for the seat of this pad.
export function printedFor(sheet, pad) {
  const printing = sheet.printings?.find(({ key }) => key === pad?.printing);
  if (!printing) return sheet;
  if (!bySeat.has(printing)) bySeat.set(printing, { ...sheet, extras: printing.extras });
  return bySeat.get(printing);
}

function note(signs, [row, column], sign) {
  const key = `${row} ${column}`;
  signs.set(key, (signs.get(key) ?? "") + sign);
}

const drawn = new WeakMap(); // sheet → its signs

// "row column" → the signs that are printed there.
export function signsOf(printed) {
  if (drawn.has(printed)) return drawn.get(printed);
  const signs = new Map();
  for (const extra of printed.extras ?? []) {
    for (const cell of extra.cells ?? []) note(signs, cell, signOf(extra));
    (extra.links ?? []).forEach((link, place) => link.forEach((cell) => note(signs, cell, letter(place))));
  }
  drawn.set(printed, signs);
  return signs;
}

// Whether a link leads from this cell to the cell below it, in the next row.
export function isJoined(printed, row, column) {
  const ends = (printed.extras ?? []).flatMap(({ links = [] }) => links);
  return ends.some(([one, other]) => one[0] === row && one[1] === column && other[0] === row + 1 && other[1] === column);
}

// The colours of the rows beside a bonus row.
export function neighboursOf(printed, row) {
  const rows = (printed.extras ?? []).flatMap(({ bonus_rows: bonus = [] }) => bonus).find((each) => each.row === row);
  return rows ? rows.neighbours.map((place) => printed.rows[place].lock) : [];
}

// Cells that hold two crosses.
export function isTwice(pad, row, column) {
  return (pad?.extras ?? []).some(({ twice = [] }) => twice.some((cell) => cell[0] === row && cell[1] === column));
}

// One field of a track; a field whose colour is closed has become void, unless it was used before.
function field({ colour, numbers }, isUsed, isVoid) {
  const state = isUsed ? "extras.used" : isVoid ? "extras.void" : "extras.free";
  const label = t(state, { field: numbers ? numbers.join(" ⇄ ") : named("colour", colour) });
  return html`<li data-colour=${colour ?? "none"} ?data-used=${isUsed} ?data-void=${isVoid && !isUsed}><span aria-hidden="true">${numbers ? numbers.join("⇄") : shape(colour)}</span><span class="hidden">${label}</span></li>`;
}

// The letters of the links, with the effect of each where they have effects.
function linksOf({ links, effects }, done) {
  const letters = links.map((_, place) => html`<b class="letter" ?data-done=${done.includes(place)}>${letter(place)}</b> `);
  if (!effects) return letters;
  return html`<ul class="effects">${letters.map((drawn, place) => html`<li>${drawn} ${named("effect", effects[place])}</li>`)}</ul>`;
}

function explanation(each, printed, done) {
  if (!has(`clause.${each.key}`)) return nothing;
  const text = t(`clause.${each.key}`, { n: printed.marks_before_last });
  if (each.effects) return html`<p class="muted">${text}</p>${linksOf(each, done)}`;
  return html`<p class="muted">${each.cells ? html`<b>${signOf(each)}</b>` : nothing}${each.links ? linksOf(each, done) : nothing} ${text}</p>`;
}

// The fields of each clause, used, void or free, and its explanation where there is room.
export function extras(printed, pad, compact, closed) {
  const gone = printed.rows.filter(({ key }) => closed?.includes(key)).map(({ lock }) => lock);
  const about = `sheet_about.${printed.key}`;
  return html`${(printed.extras ?? []).map((each, clause) => {
    const { used = 0, done = [] } = pad?.extras?.[clause] ?? {};
    return html`<div class="extra">
      ${each.track ? html`<ol class="track" aria-label=${named("clause_name", each.key)}>${each.track.map((one, place) => field(one, place < used, gone.includes(one.colour)))}</ol>` : nothing}
      ${compact ? nothing : explanation(each, printed, done)}
    </div>`;
  })}${compact || !has(about) ? nothing : html`<div class="extra"><p class="muted">${t(about)}</p></div>`}`;
}
