// The keys of the table: single keys for roll, pass and rows, arrows between lit cells.

// What the help lists: keys and the name of their text.
export const KEYS = [[["R"], "roll"], [["P"], "pass"], [["K"], "keep"], [["A"], "reroll"], [["1", "…", "6"], "rows"], [["Tab"], "cells"], [["←", "→", "↑", "↓"], "arrows"], [["?"], "help"]];
const ACTIONS = { r: "roll", p: "pass", k: "keep", a: "reroll", "?": "help" };
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

// What a key means: the name of an action, the place of a row, or null.
export function keyOf({ key, ctrlKey, metaKey, altKey, target }) {
  if (ctrlKey || metaKey || altKey || target.closest?.("input, select, textarea")) return null;
  if (/^[1-6]$/.test(key)) return Number(key) - 1;
  return ACTIONS[key.toLowerCase()] ?? null;
}

// Which of these cells, given as [row, column], an arrow key leads to: the next one of the row, or the nearest one of the
// next row that has any. Null: none.
export function cellAhead(cells, [row, column], { key, ctrlKey, metaKey, altKey }) {
  if (ctrlKey || metaKey || altKey || !STEPS[key]) return null;
  const [down, right] = STEPS[key];
  const isAhead = ([r, c]) => (down ? (r - row) * down > 0 : r === row && (c - column) * right > 0);
  const byDistance = ([r, c], [otherRow, other]) => Math.abs(r - row) - Math.abs(otherRow - row) || Math.abs(c - column) - Math.abs(other - column);
  return cells.filter(isAhead).sort(byDistance)[0] ?? null;
}
