// The model of one game: the server's view, replaced by the newer view of every update.

import { call, command, get, key, session } from "./api.js";
import { awaitsSeed, giveSeed } from "./client-seed.js";
import { joined } from "./history.js";
import { Stream } from "./stream.js";
import { language } from "./words.js";

const REMEMBERED = 400;
const WAIT_S = 25;
const ANSWER_MS = 5000;
const PHRASE_SHOWN_MS = 7000;

export class Game extends EventTarget {
  view = null;
  link = "connecting";
  history = []; // the last events, oldest first
  latest = []; // those of the last commit
  spoken = new Map(); // phrases of the last seconds: seat → phrase, the newest last
  #version = 0; // of the last event that was received; the view may be ahead of it
  #stream;
  #offset = 0;
  #isGivingSeed = false;
  #previewing = null;

  constructor(id, share = null) {
    super();
    this.id = id;
    this.share = share;
    this.#stream = new Stream({
      address: () => `/ws/v1/games/${id}?view=full&after=${this.#version}`,
      onFrame: (frame) => this.#frame(frame),
      onState: (state) => this.#linked(state),
      onEnd: (code) => this.dispatchEvent(new CustomEvent("end", { detail: code })),
      poll: (signal) => this.#poll(signal),
    });
  }

  // A path below this game; the key of a shared link goes with it.
  path(rest = "", parameters = {}) {
    const query = new URLSearchParams({ ...parameters, ...(this.share ? { share: this.share } : {}) });
    return `/games/${this.id}${rest}${query.size ? `?${query}` : ""}`;
  }

  async open() {
    this.adopt(await get(this.path()));
    this.#version = this.view.version;
    if (this.closed || this.share) return; // a shared game is over
    this.#stream.start();
    await this.#recall();
  }

  // What happened before this page opened the game. Without it the game can be played, so a failure is not shown.
  async #recall() {
    const after = Math.max(0, this.#version - REMEMBERED);
    try {
      const { results } = await get(`/games/${this.id}/events?after=${after}&limit=${REMEMBERED}`);
      this.history = joined(results, this.history);
      this.dispatchEvent(new Event("change"));
    } catch {
      // the log begins with the next event
    }
  }

  close() {
    this.closed = true;
    this.#stream.stop();
  }

  // Now, by the server's clock.
  get now() {
    return Date.now() + this.#offset;
  }

  // A preview under way would be refused after it.
  async act(action) {
    this.#previewing?.abort();
    const { events, game } = await command(`/games/${this.id}/actions`, action, "POST", { patient: true });
    this.#update(events, game);
  }

  // For an action that is not offered: its refusal comes as a frame, because browsers log every refused request as an error.
  async ask(action) {
    const spoken = session.player?.locale ?? navigator.language;
    const id = key();
    if (!spoken.startsWith(language()) || !this.#stream.send({ type: "action", id, action })) return this.act(action);
    const frame = await new Promise((resolve) => {
      this.addEventListener(`answer-${id}`, ({ detail }) => resolve(detail), { once: true });
      setTimeout(resolve, ANSWER_MS, null);
    });
    if (frame?.type === "error") throw new Error(frame.detail);
  }

  // What an action would do to the player's own sheet and points, as the server counts them.
  preview(action) {
    this.#previewing?.abort();
    this.#previewing = new AbortController();
    return call("POST", `/games/${this.id}/actions/preview`, { body: action, signal: this.#previewing.signal });
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
    if (awaitsSeed(view)) this.#giveSeed();
  }

  // In a match and after a join: the game waits for the seed that this page has announced.
  async #giveSeed() {
    if (this.#isGivingSeed) return;
    this.#isGivingSeed = true;
    this.adopt(await giveSeed(this.view).finally(() => (this.#isGivingSeed = false)));
  }

  // The events of a commit and the view after it; null while more events follow. Events after a gap are
  // ignored: the stream sends every version.
  #update(events, view) {
    const fresh = [];
    for (const event of events) {
      if (event.version !== this.#version + 1) continue;
      this.#version = event.version;
      fresh.push(event);
    }
    if (view) this.adopt(view);
    if (!fresh.length) return;
    this.#offset = Math.max(this.#offset, Date.parse(fresh.at(-1).at) - Date.now()); // no event lies in the future
    this.latest = fresh;
    this.history = [...this.history, ...fresh].slice(-REMEMBERED);
    this.dispatchEvent(new CustomEvent("news", { detail: fresh }));
    this.dispatchEvent(new Event("change"));
  }

  #linked(state) {
    this.link = state;
    this.dispatchEvent(new Event("change"));
  }

  #frame(frame) {
    if (frame.type === "update") this.#update(frame.events, frame.game);
    else if (frame.type === "phrase") this.#say(frame);
    else if (frame.id) this.dispatchEvent(new CustomEvent(`answer-${frame.id}`, { detail: frame }));
  }

  #say(phrase) {
    this.#remember([...this.spoken].filter(([seat]) => seat !== phrase.seat).concat([[phrase.seat, phrase]]));
    setTimeout(() => this.#remember([...this.spoken].filter(([, each]) => each !== phrase)), PHRASE_SHOWN_MS);
  }

  #remember(spoken) {
    this.spoken = new Map(spoken);
    this.dispatchEvent(new Event("change"));
  }

  async #poll(signal) {
    const page = await get(`/games/${this.id}/events?after=${this.#version}&wait=${WAIT_S}&limit=1000`, { signal });
    if (page.results.length) this.#update(page.results, await get(`/games/${this.id}`, { signal }));
  }
}
