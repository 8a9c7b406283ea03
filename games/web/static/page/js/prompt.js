// What the table asks of the player, in words. Reads the view of the server; knows no rule.

import { sumOf } from "./dice-sums.js";
import { nameOf } from "./event-sentences.js";
import { has, t } from "./words.js";

export const ON_SHEET = new Set(["mark", "write"]);

export function isMine({ turn, you }) {
  return Boolean(turn?.waiting_for.includes(you));
}

function answered({ your_answer: answer, options }) {
  if (answer.type !== "pass") return t("prompt.sealed");
  return t(options.some((option) => ON_SHEET.has(option.type)) ? "prompt.passed" : "prompt.passed_only");
}

function onlyPass({ options }) {
  return options.some((option) => option.type === "pass") && !options.some((option) => ON_SHEET.has(option.type));
}

function promptKey(view) {
  const mine = isMine(view);
  if (mine && onlyPass(view)) return "prompt.only_pass";
  if (mine && view.options.filter(({ type }) => type === "roll").length > 1) return "prompt.roll.choose";
  const key = `prompt.${view.turn.phase}.${mine ? "mine" : "other"}`;
  return has(key) ? key : "prompt.waiting";
}

// `armed` is the action that a second tap confirms, `gain` the points that it would add, null while they are not known.
export function prompt(view, armed, gain) {
  const { active, waiting_for: waiting, sum, dice } = view.turn;
  if (armed) return gain === null ? t("prompt.confirm") : t("prompt.confirm_points", { n: gain });
  if (view.you !== null && view.seats[view.you]?.state === "away") return t("prompt.away");
  if (view.your_answer) return answered(view);
  const names = waiting.map((seat) => nameOf(view, seat)).join(", ");
  return t(promptKey(view), { who: nameOf(view, active), sum: sum ?? sumOf(dice) ?? "", names });
}
