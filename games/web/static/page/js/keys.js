// The keys of the table: single keys for roll, pass and rows.

// What the help lists: keys and the name of their text.
export const KEYS = [[["R"], "roll"], [["P"], "pass"], [["K"], "keep"], [["A"], "reroll"], [["1", "…", "6"], "rows"], [["Tab"], "cells"], [["?"], "help"]];
const ACTIONS = { r: "roll", p: "pass", k: "keep", a: "reroll", "?": "help" };

// What a key means: the name of an action, the place of a row, or null.
export function keyOf({ key, ctrlKey, metaKey, altKey, target }) {
  if (ctrlKey || metaKey || altKey || target.closest?.("input, select, textarea")) return null;
  if (/^[1-6]$/.test(key)) return Number(key) - 1;
  return ACTIONS[key.toLowerCase()] ?? null;
}
