// The tips of the first games: which tip fits this moment. A tip exists where the catalogue has its text; knows no rule.

const LONG_ROW = 3;

function hasLongRow(view) {
  const pad = view.sheets.find(({ seat }) => seat === view.you);
  return Object.values(pad?.rows ?? {}).some((entries) => Object.keys(entries).length >= LONG_ROW);
}

// The moments of a game, the most particular first.
export function momentsOf(view) {
  if (!view.turn?.waiting_for.includes(view.you) || view.your_answer) return [];
  const { phase, active } = view.turn;
  const role = active === view.you ? "active" : "other";
  return [`${phase}.${role}`, ...(hasLongRow(view) ? ["row"] : [])].map((moment) => `${view.ruleset}.${moment}`);
}

// The first tip that was not dismissed; null: none. `exists` says whether there is a text.
export function tipFor(view, dismissed, exists) {
  if (dismissed.includes(view.ruleset)) return null;
  return momentsOf(view).find((moment) => exists(`coach.${moment}`) && !dismissed.includes(moment)) ?? null;
}
