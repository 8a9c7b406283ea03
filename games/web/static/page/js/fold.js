// What an event changes in a game view, so that it is seen at once. Decides no rule: what it cannot know (points,
// options) is read from the server right after. Unknown events change nothing here.

const without = (list, seat) => list.filter((each) => each !== seat);

function onSheet(view, seat, change) {
  return { ...view, sheets: view.sheets.map((sheet) => (sheet.seat === seat ? change(sheet) : sheet)) };
}

function inTurn(view, change) {
  return view.turn ? { ...view, turn: { ...view.turn, ...change } } : view;
}

// The answers that were possible before are so no more; which ones are now, the server says.
function moved(view, change) {
  return { ...inTurn(view, change), options: [], your_answer: null };
}

function seatState(view, seat, state) {
  return { ...view, seats: view.seats.map((each) => (each.seat === seat ? { ...each, state } : each)) };
}

const FOLDS = {
  turn_started: (view, { seat, turn, deadline }) =>
    moved(view, { number: turn, active: seat, phase: "roll", dice: null, sum: undefined, waiting_for: [seat], deadline_at: deadline }),
  dice_rolled: (view, { roll, dice, deadline }) => moved(view, { roll, dice, deadline_at: deadline }),
  answer_sealed: (view, { seat }) => inTurn(view, { waiting_for: without(view.turn?.waiting_for ?? [], seat) }),
  phase_closed: (view, { deadline }) => moved(view, { waiting_for: [], deadline_at: deadline }),
  cell_marked: (view, { seat, row, number }) =>
    onSheet(view, seat, (sheet) => ({ ...sheet, rows: { ...sheet.rows, [row]: [...(sheet.rows[row] ?? []), number] } })),
  number_written: (view, { seat, row, column, number }) =>
    onSheet(view, seat, (sheet) => ({ ...sheet, rows: { ...sheet.rows, [row]: { ...sheet.rows[row], [column]: number } } })),
  row_closed: (view, { row, seats }) =>
    seats.reduce(
      (now, seat) => onSheet(now, seat, (sheet) => ({ ...sheet, locks: [...(sheet.locks ?? []), row] })),
      { ...view, closed_rows: [...view.closed_rows, row] },
    ),
  penalty_taken: (view, { seat }) => onSheet(view, seat, (sheet) => ({ ...sheet, penalties: sheet.penalties + 1 })),
  throw_failed: (view, { seat }) => onSheet(view, seat, (sheet) => ({ ...sheet, fails: sheet.fails + 1 })),
  seat_went_away: (view, { seat }) => seatState(view, seat, "away"),
  seat_came_back: (view, { seat }) => seatState(view, seat, "playing"),
  seat_resigned: (view, { seat }) => seatState(view, seat, "resigned"),
  time_credited: (view, { deadline }) => inTurn(view, { deadline_at: deadline }),
  clock_resumed: (view, { deadline }) => inTurn(view, { deadline_at: deadline }),
  rematch_created: (view, { next_game }) => ({ ...view, next_game }),
};

export function folded(view, event) {
  const fold = FOLDS[event.type];
  return { ...(fold ? fold(view, event.data) : view), version: event.version };
}

// After these a client knows all there is to know without asking.
export const COMPLETE = new Set(["answer_sealed", "time_credited"]);
