/**
 * Plays one game and prints what happens: `node dist/examples/play.js [ruleset | code]`. A ruleset opens a game and
 * prints its code; a code joins that game. QWIXX_URL is where the service is.
 */

import { type Action, Client, type Game, isOutdated, isWaiting } from "qwixx-client";

const [chosen = "qwixx"] = process.argv.slice(2);
const url = process.env["QWIXX_URL"] ?? "http://127.0.0.1:8000";
const client = await Client.guest({ url }, "Ann");
const opened = await open();
if (opened.status === "open") console.log("join with", opened.code);

const stream = client.stream(opened.id, { after: 0, onLost: () => console.log("connecting again") });
for await (const { events, game } of stream) {
  for (const { version, type } of events) console.log(version, type);
  if (isWaiting(game)) await act(choose(game));
}
for (const { rank, seat, points } of stream.game?.result?.ranking ?? []) {
  console.log(`${rank}. seat ${seat} with ${points} points${seat === stream.game?.you ? " (this is you)" : ""}`);
}

function open(): Promise<Game> {
  if (chosen !== "qwixx" && chosen !== "qwinto") return client.joinByCode(chosen);
  return client.createGame({ ruleset: chosen, visibility: "private", clock: null });
}

/** Every option is an action ready to be sent. This player prefers to mark, and rolls as many dice as it may. */
function choose(game: Game): Action {
  return game.options.find(({ type }) => type !== "pass") ?? game.options[0]!;
}

/** Between an update and its answer the game may go on: the next update says how. */
async function act(action: Action): Promise<void> {
  try {
    await stream.act(action);
  } catch (error) {
    if (!isOutdated(error)) throw error;
  }
}
