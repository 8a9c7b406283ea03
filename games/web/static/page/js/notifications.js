// The player's notifications: one stream while a player is signed in; each frame is dispatched as `qx-me`. Where WebSockets
// do not work, a `refresh` frame is dispatched every few seconds, so that listeners ask the API.

import { session } from "./api.js";
import { every, Stream } from "./stream.js";

const REFRESH_EVERY_MS = 15_000;
const QUIET = new Set(["hello", "heartbeat"]);

let stream = null;
let known = null;

function dispatchFrame(detail) {
  dispatchEvent(new CustomEvent("qx-me", { detail }));
}

export function follow() {
  if (known === session.token) return;
  known = session.token;
  stream?.stop();
  stream = null;
  if (!known) return;
  stream = new Stream({
    address: () => "/ws/v1/me",
    onFrame: (frame) => QUIET.has(frame.type) || dispatchFrame(frame),
    onState: () => {},
    poll: every(REFRESH_EVERY_MS, async () => dispatchFrame({ type: "refresh" })),
  });
  stream.start();
}
