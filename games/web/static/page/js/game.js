// One game as this browser knows it: the server's view, kept up with events, asked for again where events do not say all.

import { command, get } from "./api.js";
import { COMPLETE, folded } from "./fold.js";
import { Stream } from "./stream.js";

const REMEMBERED = 40;
const WAIT_S = 25;
const HEARD_FOR_MS = 7000;

export class Game extends EventTarget {
  view = null;
  link = "connecting";
  news = []; // the last events, newest first
  spoken = new Map(); // what was said a moment ago: seat → phrase, the newest last
  heard = 0; // the version of the last event that was told; the view may be ahead of it
  #stream;
  #asking = null;
  #askAgain = false;
  #offset = 0;

  constructor(id) {
    super();
    this.id = id;
    this.#stream = new Stream({
      address: () => `/ws/v1/games/${id}?after=${this.heard}`,
      onFrame: (frame) => this.#frame(frame),
      onState: (state) => this.#linked(state),
      onEnd: (code) => this.dispatchEvent(new CustomEvent("end", { detail: code })),
      poll: (signal) => this.#poll(signal),
    });
  }

  async open() {
    this.adopt(await get(`/games/${this.id}`));
    this.heard = this.view.version;
    if (!this.closed) this.#stream.start();
  }

  close() {
    this.closed = true;
    this.#stream.stop();
  }

  // Now, by the server's clock.
  get now() {
    return Date.now() + this.#offset;
  }

  async act(action) {
    const answer = await command(`/games/${this.id}/actions`, action);
    this.hear(answer.events);
    this.adopt(answer.game);
  }

  async command(name, body) {
    const view = await command(`/games/${this.id}/${name}`, body);
    if (view.id === this.id) this.adopt(view);
    return view;
  }

  async freeSeat(seat) {
    this.adopt(await command(`/games/${this.id}/seats/${seat}`, undefined, "DELETE"));
  }

  adopt(view) {
    if (this.view && view.version < this.view.version) return;
    this.#offset = Date.parse(view.server_time) - Date.now();
    this.view = view;
    this.dispatchEvent(new Event("change"));
  }

  // Events in order. Those that leave a gap are left to the stream, which has none.
  hear(events) {
    const fresh = [];
    for (const event of events) {
      if (event.version !== this.heard + 1) continue;
      this.heard = event.version;
      this.#offset = Math.max(this.#offset, Date.parse(event.at) - Date.now()); // what has happened is not to come
      if (event.version > this.view.version) this.view = folded(this.view, event);
      fresh.push(event);
    }
    if (!fresh.length) return false;
    this.news = [...fresh.toReversed(), ...this.news].slice(0, REMEMBERED);
    this.dispatchEvent(new CustomEvent("news", { detail: fresh }));
    this.dispatchEvent(new Event("change"));
    return fresh.some((event) => !COMPLETE.has(event.type));
  }

  #linked(state) {
    this.link = state;
    if (state === "live") this.#ask();
    this.dispatchEvent(new Event("change"));
  }

  #frame(frame) {
    if (frame.type === "event") {
      if (this.hear([frame.event])) this.#ask();
    } else if (frame.type === "view" && frame.version >= this.view.version) {
      const { version, turn, options, your_answer } = frame;
      this.view = { ...this.view, version, turn, options, your_answer };
      this.dispatchEvent(new Event("change"));
    } else if (frame.type === "state") this.adopt(frame.game);
    else if (frame.type === "phrase") this.#say(frame);
  }

  #say(phrase) {
    this.#remember([...this.spoken].filter(([seat]) => seat !== phrase.seat).concat([[phrase.seat, phrase]]));
    setTimeout(() => this.#remember([...this.spoken].filter(([, each]) => each !== phrase)), HEARD_FOR_MS);
  }

  #remember(spoken) {
    this.spoken = new Map(spoken);
    this.dispatchEvent(new Event("change"));
  }

  async #poll(signal) {
    const page = await get(`/games/${this.id}/events?after=${this.heard}&wait=${WAIT_S}&limit=1000`, { signal });
    if (this.hear(page.results)) await this.#ask();
  }

  // The whole view; however many ask at once, it is fetched once, and once more if something came meanwhile.
  #ask() {
    this.#askAgain = true;
    this.#asking ??= this.#fetch().finally(() => (this.#asking = null));
    return this.#asking;
  }

  async #fetch() {
    while (this.#askAgain && !this.closed) {
      this.#askAgain = false;
      try {
        this.adopt(await get(`/games/${this.id}`));
      } catch {
        return; // the stream finds out by itself whether the line is down
      }
    }
  }
}
