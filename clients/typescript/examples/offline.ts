/**
 * Keeps a copy of a game in a file and plays it to its end, however often it is stopped and started again:
 * `QWIXX_TOKEN=… QWIXX_GAME=… node dist/examples/offline.js FILE`. QWIXX_URL is where the service is.
 */

import { readFile, rename, writeFile } from "node:fs/promises";
import { type Action, Client, type GameEvent, isOutdated, isWaiting, randomId } from "qwixx-client";

interface Copy {
  events: GameEvent[];
  pending?: { key: string; action: Action };
}

const [file = "game.json"] = process.argv.slice(2);
const { QWIXX_URL: url = "http://127.0.0.1:8000", QWIXX_TOKEN: token = "", QWIXX_GAME: id = "" } = process.env;
const copy = await load();
const stream = new Client({ url, token }).stream(id, { after: copy.events.length });

if (copy.pending) await send(copy.pending);
for await (const { events, game } of stream) {
  copy.events.push(...events);
  await save();
  console.log("has", game.version);
  const [action] = game.options;
  if (isWaiting(game) && action) await send({ key: randomId(), action });
}

/** The key is saved before the action is sent: sent again after a restart, the action counts once. */
async function send(pending: { key: string; action: Action }): Promise<void> {
  copy.pending = pending;
  await save();
  await stream.act(pending.action, pending.key).catch((error: unknown) => {
    if (!isOutdated(error)) throw error;
  });
  delete copy.pending;
}

async function load(): Promise<Copy> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Copy;
  } catch {
    return { events: [] };
  }
}

/** A file that is written beside and renamed is never half a file. */
async function save(): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(copy));
  await rename(`${file}.new`, file);
}
