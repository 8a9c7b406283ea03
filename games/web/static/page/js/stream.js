// A line to the server that mends itself: a WebSocket with a ticket, or calls that wait where sockets do not get through.
// Tells what arrives and how the line is; knows nothing of games.

import { call, Refusal, session } from "./api.js";

const FIRST_PAUSE_MS = 400;
const LONGEST_PAUSE_MS = 15_000;
const TRIES_BEFORE_POLLING = 2;
const POLLED_FOR_MS = 60_000;
const FINAL = new Set([4400, 4403, 4404]);

// `state` is "connecting", "live" or "offline"; `address()` is asked anew for each connection, so that it can name the
// version it resumes from; `poll(signal)` is what to do instead while sockets fail.
export class Stream {
  #socket = null;
  #failures = 0;
  #silence = null;
  #retry = null;
  #waiting = null;
  #open = false;
  #online = () => this.#again(0);
  #offline = () => this.#lost();

  constructor({ address, onFrame, onState, onEnd = () => {}, poll = null }) {
    Object.assign(this, { address, onFrame, onState, onEnd, poll });
  }

  start() {
    this.#open = true;
    addEventListener("online", this.#online);
    addEventListener("offline", this.#offline);
    this.#connect();
  }

  stop() {
    this.#open = false;
    removeEventListener("online", this.#online);
    removeEventListener("offline", this.#offline);
    this.#drop();
  }

  #say(state) {
    this.state = state;
    this.onState(state);
  }

  #drop() {
    clearTimeout(this.#retry);
    clearTimeout(this.#silence);
    this.#waiting?.abort();
    const socket = this.#socket;
    this.#socket = this.#waiting = null;
    socket?.close();
  }

  #lost() {
    this.#drop();
    this.#say("offline");
  }

  #again(pause = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, LONGEST_PAUSE_MS)) {
    if (!this.#open) return;
    this.#drop();
    this.#say(navigator.onLine ? "connecting" : "offline");
    this.#retry = setTimeout(() => this.#connect(), pause * (0.75 + Math.random() / 2));
  }

  async #connect() {
    if (!this.#open || this.#socket || this.#waiting) return;
    if (this.state !== "offline") this.#say("connecting");
    if (this.poll && this.#failures >= TRIES_BEFORE_POLLING) return this.#keepPolling();
    const line = (this.#waiting = new AbortController());
    try {
      const { ticket } = await call("POST", "/stream-tickets", { body: {}, signal: line.signal });
      if (this.#waiting !== line) return;
      this.#waiting = null;
      this.#listen(ticket);
    } catch (error) {
      if (this.#waiting !== line) return;
      this.#waiting = null;
      if (error instanceof Refusal && !session.token) return this.#ended(4401);
      // A server without streams will not have them in a moment.
      this.#failures = error instanceof Refusal && error.status === 404 ? TRIES_BEFORE_POLLING : this.#failures + 1;
      this.#again(this.#failures === TRIES_BEFORE_POLLING ? 0 : undefined);
    }
  }

  #listen(ticket) {
    const address = new URL(this.address(), location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.searchParams.set("ticket", ticket);
    const socket = (this.#socket = new WebSocket(address, "qx.v1"));
    let heartbeat = 15;
    const heard = () => {
      clearTimeout(this.#silence);
      this.#silence = setTimeout(() => this.#again(0), heartbeat * 2500);
    };
    socket.onmessage = ({ data }) => {
      if (this.#socket !== socket) return;
      const frame = JSON.parse(data);
      if (frame.type === "hello") heartbeat = frame.heartbeat_s;
      heard();
      this.#failures = 0;
      if (this.state !== "live") this.#say("live");
      this.onFrame(frame);
    };
    socket.onclose = ({ code }) => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      if (FINAL.has(code) || (code === 4401 && !session.token)) return this.#ended(code);
      this.#failures += 1;
      this.#again();
    };
    heard();
  }

  #ended(code) {
    this.stop();
    this.#say("offline");
    this.onEnd(code);
  }

  // For a while; then a socket is tried once more.
  async #keepPolling() {
    const line = (this.#waiting = new AbortController());
    const until = Date.now() + POLLED_FOR_MS;
    try {
      while (this.#waiting === line && Date.now() < until) {
        await this.poll(line.signal);
        if (this.#waiting === line && this.state !== "live") this.#say("live");
      }
      if (this.#waiting !== line) return;
      this.#failures = 0;
      this.#waiting = null;
      this.#connect();
    } catch (error) {
      if (this.#waiting !== line) return;
      this.#waiting = null;
      if (error instanceof Refusal && [401, 403, 404].includes(error.status)) return this.#ended(4000 + error.status);
      this.#failures += 1;
      this.#again();
    }
  }
}

// A call that waits for nothing, every few seconds.
export function every(milliseconds, work) {
  return async (signal) => {
    await work(signal);
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      signal.addEventListener("abort", () => (clearTimeout(timer), resolve()));
    });
  };
}
