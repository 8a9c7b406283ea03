// The player's own part of the dice: a random client seed, announced when a seat is taken, and sent once the server has
// published its commitment. What was noted then is kept in this browser for the proof after the game.

import { command } from "./api.js";

const NOTED = "qx.noted";
const KEPT = 50; // games

// Takes a seat with this command, and gives the announced seed.
export async function takeSeat(path, body = {}) {
  return giveSeed(await command(path, { ...body, late_seed: true }));
}

export function awaitsSeed(view) {
  return Boolean(view.start?.waiting_for.includes(view.you));
}

// The view after it; the game may have started meanwhile, and then goes on with the seed it has.
export async function giveSeed(view) {
  if (!awaitsSeed(view)) return view;
  const seed = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const { commitment } = view.fairness;
  try {
    const after = await command(`/games/${view.id}/seed`, { client_seed: seed });
    note(view.id, { commitment, seed });
    return after;
  } catch {
    return view;
  }
}

function allNoted() {
  return JSON.parse(localStorage.getItem(NOTED) ?? "[]");
}

function note(id, what) {
  localStorage.setItem(NOTED, JSON.stringify([...allNoted().filter(([other]) => other !== id), [id, what]].slice(-KEPT)));
}

// The commitment that was published before the seed was sent, and the seed; null if this browser did not send one.
export function notedOf(id) {
  return new Map(allNoted()).get(id) ?? null;
}
