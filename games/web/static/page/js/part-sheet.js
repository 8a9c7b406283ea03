// A sheet of any game in any size, drawn from its description and the marks of a seat. Decides nothing.

import { define, html, nothing, Part } from "./element.js";
import { extras, isJoined, isTwice, neighboursOf, printedFor, signsOf } from "./extras.js";
import { cellAhead } from "./keys.js";
import { icon, shape } from "./pictures.js";
import { named, t } from "./words.js";

// The content of a cell: a cross over a printed number, or a number written into an empty cell.
function content(cell, row) {
  if (Array.isArray(row)) return { count: row.filter((number) => number === cell.number).length, text: cell.number, crossed: true };
  const written = row?.[cell.column];
  return { count: written === undefined ? 0 : 1, text: written ?? "" };
}

export function isAt(action, row, cell) {
  if (!action || action.row !== row.key) return false;
  return "column" in action ? action.column === cell.column : action.number === cell.number;
}

// The colour of a row: its die's, its cells', or none.
function tint(row) {
  return row.lock ?? (row.cells[0]?.colour || "none");
}

// The colour of a cell, if it is not the colour of its row: the cell shows that colour's shape.
function otherColour(row, cell) {
  return cell.colour && cell.colour !== tint(row) ? html`<i class="other-colour">${shape(cell.colour)}</i>` : nothing;
}

function inWords(row, pad) {
  const entries = pad?.rows?.[row.key] ?? [];
  return Array.isArray(entries) ? entries.join(", ") : Object.values(entries).join(", ");
}

// Whether the cells of a row have different colours.
function isMixed({ cells }) {
  return new Set(cells.map((cell) => cell.colour)).size > 1 && cells.every((cell) => cell.colour);
}

// The points of 1, 2, 3, … crosses, where the sheet scores by such a table.
export function scale({ score }) {
  const points = score?.crosses?.slice(1) ?? [];
  if (!points.length) return nothing;
  return html`<dl class="scale" aria-label=${t("sheet.scale")}><div><dt>${t("sheet.crosses")}</dt><dd>${t("sheet.points")}</dd></div>
    ${points.map((value, place) => html`<div><dt>${place + 1}</dt><dd>${value}</dd></div>`)}</dl>`;
}

class Sheet extends Part {
  static properties = {
    sheet: { attribute: false },
    pad: { attribute: false },
    closed: { attribute: false },
    options: { attribute: false },
    answer: { attribute: false },
    armed: { attribute: false },
    last: { attribute: false }, // the newest marks
    sum: { type: Number }, // what was rolled; an option of another number is a swap
    live: { type: Boolean },
    hint: { attribute: false }, // the action that a lesson waits for
    scaled: { type: Boolean }, // with the points that crosses score
    compact: { type: Boolean, reflect: true },
  };

  get printed() {
    return printedFor(this.sheet, this.pad);
  }

  render() {
    if (!this.sheet) return nothing;
    const { printed, pad } = this;
    const locks = printed.rows.some((row) => row.lock);
    const columns = 1 + Math.max(...printed.rows.flatMap((row) => row.cells.map((cell) => cell.column)));
    return html`
      <div class="rows" @keydown=${this.move} .style=${`--columns: ${columns + (locks ? 1 : 0)}`}>${printed.rows.map((row, place) => this.row(row, place, columns))}</div>
      ${extras(printed, pad, this.compact, this.closed)}
      ${this.foot(pad)}
      ${this.scaled ? scale(printed) : nothing}
    `;
  }

  row(row, index, columns) {
    const closed = this.closed?.includes(row.key);
    const mine = this.pad?.locks?.includes(row.key);
    const label = t(closed ? "sheet.row_closed" : "sheet.row", { row: named("colour", row.key), numbers: inWords(row, this.pad) || t("sheet.nothing") });
    const between = neighboursOf(this.printed, index);
    return html`<div class="row" data-colour=${tint(row)} ?data-mixed=${isMixed(row)} ?data-closed=${closed} role="group" aria-label=${label}>
      ${between.map((colour) => html`<i class="neighbour" data-colour=${colour}></i>`)}
      <span class="head">${shape(tint(row))}</span>
      ${row.cells.map((cell, place) => this.cell(row, index, cell, place))}
      ${row.lock
        ? html`<span class="cell lock" data-colour=${row.lock} .style=${`grid-column: ${columns + 2}`} ?data-marked=${mine} aria-hidden="true">${icon("lock")}</span>`
        : nothing}
    </div>`;
  }

  cell(row, index, cell, place) {
    const written = this.pad?.rows?.[row.key] ?? [];
    const { count, text, crossed } = content(cell, written);
    const sign = signsOf(this.printed).get(`${index} ${cell.column}`);
    const option = this.options?.find((each) => isAt(each, row, cell));
    const sealed = isAt(this.answer, row, cell);
    const skipped = Array.isArray(written) && !count && row.cells.slice(place + 1).some((later) => written.includes(later.number));
    const where = cell.number ?? t("sheet.column", { n: cell.column + 1 });
    const swap = option && this.sum && cell.number !== null && cell.number !== this.sum;
    const name = t(swap ? "sheet.may_swap" : option ? "sheet.may" : "sheet.cell", { row: named("colour", row.key), cell: sign ? `${where} ${sign}` : where });
    const flags = Object.keys(cell).filter((flag) => cell[flag] === true).join(" ");
    const ghost = text === "" && (option || sealed) && this.sum ? this.sum : "";
    const inner = html`<span ?data-ghost=${ghost && !sealed}>${ghost || text}</span>${swap ? html`<i class="swap">⇄</i>` : nothing}${isJoined(this.printed, index, cell.column) ? html`<i class="joint"></i>` : nothing}${sign ? html`<i class="sign">${sign}</i>` : nothing}${otherColour(row, cell)}${sealed ? icon("sealed") : nothing}`;
    const style = `grid-column: ${cell.column + 2}`;
    const colour = cell.colour || "none";
    const twice = count > 1 || isTwice(this.pad, index, cell.column);
    const isNew = this.last?.some((mark) => isAt(mark, row, cell));
    if (!this.live || (count && !option)) {
      return html`<span class="cell" data-colour=${colour} data-flags=${flags} .style=${style} ?data-twice=${twice} ?data-marked=${count && crossed} ?data-written=${count && !crossed}
        ?data-skipped=${skipped} ?data-sealed=${sealed} ?data-new=${isNew} aria-hidden="true">${inner}</span>`;
    }
    return html`<button type="button" class="cell" data-colour=${colour} data-flags=${flags} .style=${style} ?data-option=${option} ?data-marked=${count && crossed} ?data-skipped=${skipped} ?data-new=${isNew}
      ?data-hint=${isAt(this.hint, row, cell)} ?data-empty=${cell.number === null} ?data-sealed=${sealed} ?data-armed=${isAt(this.armed, row, cell)} tabindex=${option || sealed ? 0 : -1}
      aria-label=${sealed ? t("sheet.sealed", { cell: name }) : name} @click=${() => this.tap(row, cell, option)}
      @pointerenter=${() => this.aim(option)} @focus=${() => this.aim(option)} @pointerleave=${() => this.aim(null)} @blur=${() => this.aim(null)}>${inner}</button>`;
  }

  // The option that is touched or focused; the dice that make it glow.
  aim(option) {
    this.dispatchEvent(new CustomEvent("aim", { detail: option ?? null }));
  }

  // A tap on a cell that is not an option is sent, too: the server answers which rule forbids it.
  tap(row, cell, option) {
    const plain = cell.number === null ? { type: "write", row: row.key, column: cell.column } : { type: "mark", row: row.key, number: cell.number };
    this.dispatchEvent(new CustomEvent("choose", { detail: { action: option ?? plain, offered: Boolean(option) }, bubbles: true }));
  }

  // An arrow key on a cell moves the focus to another lit cell.
  move(event) {
    const rows = [...this.querySelectorAll(".row")];
    const placeOf = (cell) => [rows.indexOf(cell.parentElement), parseInt(cell.style.gridColumnStart, 10)];
    const lit = [...this.querySelectorAll("button.cell[tabindex='0']")];
    const places = lit.map(placeOf);
    const next = lit[places.indexOf(cellAhead(places, placeOf(event.target), event))];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  foot(pad) {
    if (!pad) return nothing;
    const fine = Object.keys(this.printed).find((key) => this.printed[key]?.boxes);
    const { total, ...parts } = pad.points;
    const rows = new Set(this.printed.rows.map((row) => row.key));
    return html`<div class="foot">
      ${pad.printing ? html`<small class="muted">${t("sheet.printing", { name: pad.printing })}</small>` : nothing}
      ${fine
        ? html`<span class="boxes" role="img" aria-label=${t(`sheet.${fine}`, { n: pad[fine], of: this.printed[fine].boxes })}>
            ${Array.from({ length: this.printed[fine].boxes }, (_, box) => html`<i ?data-marked=${box < pad[fine]}></i>`)}<small aria-hidden="true">${this.printed[fine].points}</small>
          </span>`
        : nothing}
      <b class="total"><small>${t("points.total")}</small> ${total}</b>
      <span class="points">
        ${Object.entries(parts).map(
          ([part, value]) => html`<span class="part" data-colour=${rows.has(part) ? part : nothing} title=${named(rows.has(part) ? "colour" : "points", part)}>
            ${rows.has(part) ? shape(part) : html`<small>${named("points", part)}</small>`}<span class="hidden">${rows.has(part) ? named("colour", part) : ""}</span>${value}
          </span>`,
        )}
      </span>
    </div>`;
  }
}

define("qx-sheet", Sheet);
