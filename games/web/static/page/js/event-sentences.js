// Events as sentences, for the list of events and for screen readers. Knows no rule.

import { named, t } from "./words.js";

export function nameOf(view, seat) {
  if (seat === view.you) return t("seat.you");
  return playerName(view.seats.find((each) => each.seat === seat)?.player);
}

export function playerName(player) {
  if (!player) return t("seat.free");
  return player.name;
}

export function diceInWords(dice) {
  return Object.entries(dice ?? {})
    .map(([colour, faces]) => `${named("colour", colour)} ${[faces].flat().join(" + ")}`)
    .join(", ");
}

const SENTENCE_VALUES = {
  seat_taken: (view, { seat }) => ({ who: nameOf(view, seat) }),
  turn_started: (view, { seat }) => ({ who: nameOf(view, seat) }),
  dice_rolled: (view, { seat, dice }) => ({ who: nameOf(view, seat), dice: diceInWords(dice) }),
  dice_kept: (view, { seat }) => ({ who: nameOf(view, seat) }),
  answer_sealed: (view, { seat }) => ({ who: nameOf(view, seat) }),
  cell_marked: (view, { seat, row, number }) => ({ who: nameOf(view, seat), row: named("colour", row), number }),
  number_written: (view, { seat, row, number }) => ({ who: nameOf(view, seat), row: named("colour", row), number }),
  row_closed: (view, { row }) => ({ row: named("colour", row) }),
  penalty_taken: (view, { seat }) => ({ who: nameOf(view, seat) }),
  throw_failed: (view, { seat }) => ({ who: nameOf(view, seat) }),
  time_ran_out: (view, { seats }) => ({ who: seats.map((seat) => nameOf(view, seat)).join(", ") }),
  seat_went_away: (view, { seat }) => ({ who: nameOf(view, seat) }),
  seat_came_back: (view, { seat }) => ({ who: nameOf(view, seat) }),
  seat_resigned: (view, { seat }) => ({ who: nameOf(view, seat) }),
  game_started: () => ({}),
  game_ended: () => ({}),
  game_aborted: () => ({}),
  game_voided: () => ({}),
  clock_paused: () => ({}),
  clock_resumed: () => ({}),
};

// The sentence of an event; null: the event has none, or its type is newer than this page.
export function eventSentence(view, event) {
  const values = SENTENCE_VALUES[event.type]?.(view, event.data);
  return values ? t(`event.${event.type}`, values) : null;
}
