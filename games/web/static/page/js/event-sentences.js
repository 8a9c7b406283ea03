// Events as sentences, for the list of events and for screen readers. Knows no rule.

import { has, named, t } from "./words.js";

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

const VALUES = {
  dice_rolled: ({ dice }) => ({ dice: diceInWords(dice) }),
  cell_marked: ({ row, number }) => ({ row: named("colour", row), number }),
  number_written: ({ row, number }) => ({ row: named("colour", row), number }),
  row_closed: ({ row }) => ({ row: named("colour", row) }),
};

const SEVERAL = new Set(["row_closed", "time_ran_out"]); // name a list of seats

function seatsOf(type, { seat, seats }) {
  if (SEVERAL.has(type)) return seats;
  return seat === undefined ? [] : [seat];
}

function sentence(view, type, data, seat) {
  const key = seat === view.you && has(`event_you.${type}`) ? `event_you.${type}` : `event.${type}`;
  return t(key, { who: nameOf(view, seat), ...VALUES[type]?.(data) });
}

// The sentence of an event, one for each seat that it names; null: the event has none, or its type is newer than this page.
export function eventSentence(view, { type, data }) {
  if (!has(`event.${type}`)) return null;
  const seats = seatsOf(type, data);
  return seats.length ? seats.map((seat) => sentence(view, type, data, seat)).join(" ") : sentence(view, type, data);
}
