// A stream that reconnects: a WebSocket opened with a ticket, or polling where WebSockets fail.
// Reports frames and the state of the connection; knows nothing of games.

import { call, Refusal, session } from "./api.js";

const FIRST_PAUSE_MS = 400;
const LONGEST_PAUSE_MS = 15_000;
const TRIES_BEFORE_POLLING = 2;
const POLLED_FOR_MS = 60_000;
const FINAL = new Set([4400, 4403, 4404]);

// `state` is "connecting", "live" or "offline"; `address()` is called for each connection, so that it can contain
// the version to resume from; `poll(signal)` is called while WebSockets fail.
export class Stream {
  #socket = null;
  #failures = 0;
  #silenceTimer = null;
  #retry = null;
  #pending = null;
  #open = false;
  #online = () => this.#reconnect(0);
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

  // Whether the frame could be sent: not while polling or reconnecting.
  send(frame) {
    if (this.#socket?.readyState !== WebSocket.OPEN || this.state !== "live") return false;
    this.#socket.send(JSON.stringify(frame));
    return true;
  }

  #setState(state) {
    this.state = state;
    this.onState(state);
  }

  #drop() {
    clearTimeout(this.#retry);
    clearTimeout(this.#silenceTimer);
    this.#pending?.abort();
    const socket = this.#socket;
    this.#socket = this.#pending = null;
    // Browsers log an error when a socket is closed before it is open.
    if (socket?.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket?.close();
  }

  #lost() {
    this.#drop();
    this.#setState("offline");
  }

  #reconnect(pause = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, LONGEST_PAUSE_MS)) {
    if (!this.#open) return;
    this.#drop();
    this.#setState(navigator.onLine ? "connecting" : "offline");
    this.#retry = setTimeout(() => this.#connect(), pause * (0.75 + Math.random() / 2));
  }

  async #connect() {
    if (!this.#open || this.#socket || this.#pending) return;
    if (this.state !== "offline") this.#setState("connecting");
    if (this.poll && this.#failures >= TRIES_BEFORE_POLLING) return this.#keepPolling();
    const controller = (this.#pending = new AbortController());
    try {
      const { ticket } = await call("POST", "/stream-tickets", { body: {}, signal: controller.signal });
      if (this.#pending !== controller) return;
      this.#pending = null;
      this.#listen(ticket);
    } catch (error) {
      if (this.#pending !== controller) return;
      this.#pending = null;
      if (error instanceof Refusal && !session.token) return this.#ended(4401);
      // A server without streams will not have them a moment later.
      this.#failures = error instanceof Refusal && error.status === 404 ? TRIES_BEFORE_POLLING : this.#failures + 1;
      this.#reconnect(this.#failures === TRIES_BEFORE_POLLING ? 0 : undefined);
    }
  }

  #listen(ticket) {
    const address = new URL(this.address(), location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.searchParams.set("ticket", ticket);
    const socket = (this.#socket = new WebSocket(address, "qx.v1"));
    let heartbeat = 15;
    const restartSilenceTimer = () => {
      clearTimeout(this.#silenceTimer);
      this.#silenceTimer = setTimeout(() => this.#reconnect(0), heartbeat * 2500);
    };
    socket.onmessage = ({ data }) => {
      if (this.#socket !== socket) return;
      const frame = JSON.parse(data);
      if (frame.type === "hello") heartbeat = frame.heartbeat_s;
      restartSilenceTimer();
      this.#failures = 0;
      if (this.state !== "live") this.#setState("live");
      this.onFrame(frame);
    };
    socket.onclose = ({ code }) => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      if (FINAL.has(code) || (code === 4401 && !session.token)) return this.#ended(code);
      this.#failures += 1;
      this.#reconnect();
    };
    restartSilenceTimer();
  }

  #ended(code) {
    this.stop();
    this.#setState("offline");
    this.onEnd(code);
  }

  // Polls for a while; then a WebSocket is tried again.
  async #keepPolling() {
    const controller = (this.#pending = new AbortController());
    const until = Date.now() + POLLED_FOR_MS;
    try {
      while (this.#pending === controller && Date.now() < until) {
        await this.poll(controller.signal);
        if (this.#pending === controller && this.state !== "live") this.#setState("live");
      }
      if (this.#pending !== controller) return;
      this.#failures = 0;
      this.#pending = null;
      this.#connect();
    } catch (error) {
      if (this.#pending !== controller) return;
      this.#pending = null;
      if (error instanceof Refusal && [401, 403, 404].includes(error.status)) return this.#ended(4000 + error.status);
      this.#failures += 1;
      this.#reconnect();
    }
  }
}

// A `poll` for calls that return at once: one call every few seconds.
export function every(milliseconds, work) {
  return async (signal) => {
    await work(signal);
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      signal.addEventListener("abort", () => (clearTimeout(timer), resolve()));
    });
  };
}
