// The replay of a game that is over: step by step, turn by turn or by itself, and what another move would have brought.

import { call, get, raw } from "./api.js";
import { define, errorText, html, nothing, Part } from "./element.js";
import { eventSentence, nameOf } from "./event-sentences.js";
import { isMark } from "./history.js";
import "./part-dice.js";
import "./part-sheet.js";
import { ON_SHEET } from "./prompt.js";
import { named, t } from "./words.js";

const KEPT = 60; // views of other versions; the slider may go over thousands
const STEP_MS = 1200;
const SILENT = new Set(["answer_sealed", "phase_closed", "seed_given"]); // autoplay does not stop there

class Replay extends Part {
  static properties = { game: { attribute: false }, sheet: { attribute: false }, version: { state: true }, shown: { state: true }, failure: { state: true }, plays: { state: true }, other: { state: true } };
  #views = new Map();
  #events = null;
  #moving = null;

  get view() {
    return this.game.view;
  }

  get at() {
    return this.version ?? this.view.version;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  render() {
    const head = this.view.version;
    const shown = this.shown ?? this.view;
    const event = this.#events?.[this.at - 1];
    return html`<section class="card replay" aria-label=${t("replay.title")}>
      <h2>${t("replay.title")}</h2>
      <div class="slider">
        <input type="range" min="1" max=${head} .value=${String(this.at)} aria-label=${t("replay.title")} aria-valuetext=${t("replay.at", { n: this.at, of: head })}
          @input=${(change) => this.move(Number(change.target.value))}>
        <span class="muted">${t("replay.at", { n: this.at, of: head })}</span>
      </div>
      <div class="actions">
        ${this.step("replay.turn_back", "«", () => this.turn(-1), this.at <= 1)}
        ${this.step("replay.back", "◀", () => this.move(this.at - 1), this.at <= 1)}
        <button type="button" class="main" aria-pressed=${String(Boolean(this.plays))} @click=${() => this.toggle()}>${t(this.plays ? "replay.stop" : "replay.play")}</button>
        ${this.step("replay.on", "▶", () => this.move(this.at + 1), this.at >= head)}
        ${this.step("replay.turn_on", "»", () => this.turn(1), this.at >= head)}
      </div>
      <p class="told" aria-live=${this.plays ? "off" : "polite"}>${this.failure ?? ((event && eventSentence(shown, event)) || " ")}</p>
      ${shown.turn?.dice ? html`<qx-dice .dice=${shown.turn.dice} .roll=${0}></qx-dice>` : nothing}
      ${this.whatIf(shown)}
      <div class="sheets">${shown.sheets.map((pad) => this.pad(shown, pad, event))}</div>
    </section>`;
  }

  step(key, sign, run, isDisabled) {
    return html`<button type="button" aria-label=${t(key)} title=${t(key)} ?disabled=${isDisabled} @click=${() => { this.stop(); run(); }}>${sign}</button>`;
  }

  pad(shown, pad, event) {
    const mine = pad.seat === shown.you;
    const options = mine && this.shown ? (shown.options ?? []).filter(({ type }) => ON_SHEET.has(type)) : [];
    return html`<section class="past" aria-label=${nameOf(shown, pad.seat)} ?data-active=${shown.turn?.active === pad.seat}>
      <h3>${nameOf(shown, pad.seat)}</h3>
      <qx-sheet .sheet=${this.sheet} .pad=${pad} .closed=${shown.closed_rows} .last=${this.marked(event, pad.seat)} .options=${options} .live=${options.length > 0}
        @choose=${({ detail }) => detail.offered && this.ask(detail.action)}></qx-sheet>
    </section>`;
  }

  marked(event, seat) {
    return event && isMark(event) && event.data.seat === seat ? [event.data] : [];
  }

  // What one of the moves that were possible then would have brought, as the server counts it.
  whatIf(shown) {
    const moves = this.shown && shown.options?.some(({ type }) => ON_SHEET.has(type));
    if (!moves && !this.other) return html`<p class="what-if muted">${t("replay.what_if_where")}</p>`;
    return html`<p class="what-if" role="status">${this.other ?? t("replay.what_if")}</p>`;
  }

  async ask(action) {
    const version = this.at;
    await this.attempt(async () => {
      const { points } = await call("POST", `/games/${this.game.id}/actions/preview?version=${version}`, { body: action });
      const cell = `${named("colour", action.row)} ${action.number ?? t("sheet.column", { n: action.column + 1 })}`;
      this.other = t("replay.what_if_points", { cell, before: points.before, after: points.after });
    });
  }

  toggle() {
    if (this.plays) return this.stop();
    this.plays = true;
    return this.next(this.at >= this.view.version ? 1 : this.at + 1);
  }

  stop() {
    this.plays = false;
    clearTimeout(this.timer);
  }

  async next(version) {
    await this.move(version);
    if (!this.plays || !this.isConnected) return;
    if (this.failure || version >= this.view.version) return void this.stop();
    let following = version + 1;
    while (following < this.view.version && SILENT.has(this.#events[following - 1]?.type)) following += 1;
    this.timer = setTimeout(() => this.next(following), STEP_MS);
  }

  // To the begin of the turn before or after this version.
  async turn(direction) {
    this.#events ??= await this.story().catch(() => null);
    const begins = (this.#events ?? []).filter(({ type }) => type === "turn_started").map(({ version }) => version);
    const found = direction < 0 ? begins.findLast((version) => this.at > version) : begins.find((version) => version > this.at);
    await this.move(found ?? (direction < 0 ? 1 : this.view.version));
  }

  // The slider may be faster than the network: only the version on which it stops is fetched.
  async move(version) {
    this.version = version;
    this.other = null;
    this.#moving ??= this.settle().finally(() => (this.#moving = null));
    await this.#moving;
  }

  async settle() {
    try {
      this.#events ??= await this.story();
      let wanted;
      do {
        wanted = this.version;
        this.shown = await this.viewAt(wanted);
      } while (wanted !== this.version);
      this.failure = null;
    } catch (error) {
      this.failure = errorText(error);
    }
  }

  async viewAt(version) {
    if (!this.#views.has(version)) {
      if (this.#views.size >= KEPT) this.#views.delete(this.#views.keys().next().value);
      this.#views.set(version, await get(this.game.path("", { version })));
    }
    return this.#views.get(version);
  }

  async story() {
    const lines = (await (await raw("GET", this.game.path("/export"))).text()).trim().split("\n");
    return lines.slice(1).map((line) => JSON.parse(line));
  }
}

define("qx-replay", Replay);
