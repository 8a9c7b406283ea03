// What happens to this player wherever on the page he is: one line to the server as long as somebody is known here, told
// on as `qx-me`. Where sockets do not get through, "look" says now and then that something may have happened.

import { session } from "./api.js";
import { every, Stream } from "./stream.js";

const LOOK_EVERY_MS = 15_000;
const QUIET = new Set(["hello", "heartbeat"]);

let line = null;
let known = null;

function tellOn(detail) {
  dispatchEvent(new CustomEvent("qx-me", { detail }));
}

export function follow() {
  if (known === session.token) return;
  known = session.token;
  line?.stop();
  line = null;
  if (!known) return;
  line = new Stream({
    address: () => "/ws/v1/me",
    onFrame: (frame) => QUIET.has(frame.type) || tellOn(frame),
    onState: () => {},
    poll: every(LOOK_EVERY_MS, async () => tellOn({ type: "look" })),
  });
  line.start();
}
