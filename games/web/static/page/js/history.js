// What the events of a game say about its past: the last marks of a seat, its turns, and who ended it. Knows no rule.

const MARKED = new Set(["cell_marked", "number_written"]);

export function isMark({ type }) {
  return MARKED.has(type);
}

// All marks of the last turn in which this seat marked, forced marks among them. Events are ordered oldest first.
export function lastMarks(events, seat) {
  const marks = [];
  for (const { type, data } of events.toReversed()) {
    if (MARKED.has(type) && data.seat === seat) marks.push(data);
    else if (type === "turn_started" && marks.length) break;
  }
  return marks;
}

// The events by turn, oldest first; what came before the first turn has the number 0.
export function turnsOf(events) {
  const turns = [];
  for (const event of events) {
    const begins = event.type === "turn_started";
    if (begins || !turns.length) turns.push({ number: begins ? event.data.turn : 0, seat: begins ? event.data.seat : null, events: [] });
    if (!begins) turns.at(-1).events.push(event);
  }
  return turns;
}

// Older events before newer ones, each once.
export function joined(older, newer) {
  const first = newer[0]?.version ?? Infinity;
  return [...older.filter(({ version }) => first > version), ...newer];
}

function isFull(row, written) {
  return Object.keys(written ?? {}).length >= row.cells.length;
}

const ENDED_BY = {
  two_rows_closed: (_view, events) => events.findLast(({ type }) => type === "row_closed")?.data.seats ?? [],
  four_penalties: (view, _events, sheet) => withAllBoxes(view, sheet, "penalties"),
  four_fails: (view, _events, sheet) => withAllBoxes(view, sheet, "fails"),
  two_rows_filled: (view, _events, sheet) => view.sheets.filter((pad) => sheet.rows.filter((row) => isFull(row, pad.rows[row.key])).length > 1).map(({ seat }) => seat),
  last_seat_standing: (view) => view.seats.filter(({ state }) => state === "resigned").map(({ seat }) => seat),
};

function withAllBoxes(view, sheet, name) {
  return view.sheets.filter((pad) => pad[name] >= sheet[name].boxes).map(({ seat }) => seat);
}

// The seats whose move ended the game, as far as its events and sheets show it.
export function endedBy(view, events, sheet) {
  return ENDED_BY[view.result?.reason]?.(view, events, sheet) ?? [];
}
