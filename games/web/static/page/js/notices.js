// What a notification of the player says, with buttons where it asks something.

import { command } from "./api.js";
import { takeSeat } from "./client-seed.js";
import { go } from "./routes.js";
import { figure, named, t } from "./words.js";

function invitation({ invitation: id, game, by }) {
  const path = `/invitations/${id}`;
  const open = async () => go(`/game/${(await takeSeat(`${path}/accept`)).id}`);
  const actions = id ? [{ label: t("games.accept"), run: open }, { label: t("games.decline"), run: () => command(`${path}/decline`) }] : [{ label: t("list.open"), run: () => go(`/game/${game}`) }];
  return { text: t("app.invited", { who: by?.name ?? "" }), mood: "good", actions };
}

const NOTICES = {
  invited: invitation,
  invitation_declined: ({ player }) => ({ text: t("app.declined", { who: player?.name ?? "" }) }),
  rematch_offered: ({ game, next }) => location.pathname.endsWith(next) || location.pathname.endsWith(game) ? null : { text: t("app.rematch"), mood: "good", actions: [{ label: t("after.rematch_join"), run: async () => go(`/game/${(await takeSeat(`/games/${game}/rematch`)).id}`) }] },
  rating_changed: ({ ruleset, rating }) => ({ text: t("app.rating", { game: named("ruleset", ruleset), n: figure(rating.value) }), mood: "good" }),
};

// The message for a frame of the player's stream; null: none.
export function notice(frame) {
  return NOTICES[frame.type]?.(frame) ?? null;
}
