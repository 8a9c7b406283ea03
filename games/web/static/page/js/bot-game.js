// Starts a game against a bot, and opens it. A visitor without an account becomes a guest.

import { ensurePlayer } from "./api.js";
import { takeSeat } from "./client-seed.js";
import { settings } from "./settings.js";
import { home } from "./home.js";
import { go } from "./routes.js";

export async function startBotGame(ruleset, sheet) {
  await ensurePlayer();
  const wish = { ruleset, seats: 2, visibility: "private", clock: null, bots: [settings.get("level")] };
  const game = await takeSeat("/games", sheet ? { ...wish, sheet } : wish);
  home.began(game);
  go(`/game/${game.id}`);
}
