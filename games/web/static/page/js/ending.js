// Why a game ended, in a sentence that names the player whose move ended it.

import { nameOf } from "./event-sentences.js";
import { endedBy } from "./history.js";
import { has, list, t } from "./words.js";

function aborted(events) {
  const why = events.findLast(({ type }) => type === "game_aborted")?.data.reason;
  if (!why) return t("reason.aborted");
  return has(`reason_by.${why}`) ? t(`reason_by.${why}`) : t("reason_by.staff", { why });
}

export function endSentence(view, events, sheet) {
  const reason = view.result?.reason;
  if (!reason) return t(`status.${view.status}`);
  if (reason === "aborted") return aborted(events);
  const names = endedBy(view, events, sheet).map((seat) => nameOf(view, seat));
  const key = `reason_by.${reason}`;
  if (names.length && has(key)) return t(key, { who: list(names) });
  return has(`reason.${reason}`) ? t(`reason.${reason}`) : t(`status.${view.status}`);
}
