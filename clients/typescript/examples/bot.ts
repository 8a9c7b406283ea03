/**
 * A bot: accepts every invitation and plays all its games at once, until it is stopped. After a restart it goes on where
 * its games are, if QWIXX_TOKEN is the token it printed. QWIXX_URL is where the service is.
 */

import { type Action, Client, type Game, unwrap } from "qwixx-client";

const url = process.env["QWIXX_URL"] ?? "http://127.0.0.1:8000";
const token = process.env["QWIXX_TOKEN"];
const client = token ? new Client({ url, token }) : await Client.guest({ url }, "Careful");
const me = await unwrap(client.api.GET("/api/v1/players/me"));
const playing = new Set<string>();
console.log("player", me.id, "token", client.token);

for await (const heard of client.notifications()) {
  if (heard.type === "hello" || heard.type === "invited") await acceptAll();
  if (heard.type === "your_turn" || heard.type === "game_started") void play(heard.game);
}

async function acceptAll(): Promise<void> {
  const { results } = await unwrap(client.api.GET("/api/v1/invitations"));
  for (const { id } of results) {
    const params = { path: { invitation_id: id } };
    const call = client.api.POST("/api/v1/invitations/{invitation_id}/accept", { params, body: { late_seed: true } });
    await unwrap(call)
      .then((game) => client.giveSeed(game))
      .catch((error: unknown) => console.error("no longer open", id, error));
  }
}

/** A notification may come twice: a game is played once. */
async function play(id: string): Promise<void> {
  if (playing.has(id)) return;
  playing.add(id);
  try {
    const result = await client.stream(id).play(choose);
    console.log("played", id, result?.reason);
  } catch (error) {
    console.error("lost", id, error);
  } finally {
    playing.delete(id);
  }
}

/** The option that skips the fewest cells; it rather passes than skip more than two. */
function choose(game: Game): Action {
  const costs = game.options.map((option) => cost(game, option));
  return game.options[costs.indexOf(Math.min(...costs))]!;
}

function cost(game: Game, option: Action): number {
  if (option.type === "pass") return 2.5;
  const sheet = game.sheets[game.you!]!;
  if (option.type !== "mark" || sheet.ruleset !== "qwixx" || game.sheet !== "classic") return Math.random();
  const marked = sheet.rows[option.row]!;
  const rises = option.row === "red" || option.row === "yellow";
  const last = rises ? Math.max(1, ...marked) : Math.min(13, ...marked);
  return Math.abs(option.number - last) - 1;
}
