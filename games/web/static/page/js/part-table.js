// A game in progress: seats, dice, the player's own sheet with its options, the other sheets in small, and what happened.
// The options come from the server; this module knows no rule.

import { define, html, nothing, Part } from "./element.js";
import { eventSentence, nameOf } from "./event-sentences.js";
import { lastMarks } from "./history.js";
import "./part-coach.js";
import { KEYS, keyOf } from "./keys.js";
import "./part-dialog.js";
import "./part-felt.js";
import "./part-log.js";
import "./part-phrases.js";
import "./part-seats.js";
import "./part-sheet.js";
import { icon } from "./pictures.js";
import { isMine, ON_SHEET } from "./prompt.js";
import { settings } from "./settings.js";
import { play } from "./sound.js";
import { sumOf } from "./dice-sums.js";
import { named, t } from "./words.js";

const PASS_AFTER_MS = 900;
const same = (one, other) => Boolean(one && other) && ["type", "row", "number", "column"].every((name) => one[name] === other[name]);

class Table extends Part {
  static properties = {
    game: { attribute: false },
    printed: { attribute: false },
    armed: { state: true },
    gain: { state: true },
    aimed: { state: true },
    enlarged: { state: true },
    leaving: { state: true },
    listing: { state: true }, // the keys
  };
  #passed = "";
  #wasMine = false;
  #wasFocused = false;
  #onKey = (event) => this.press(event);

  connectedCallback() {
    super.connectedCallback();
    document.addEventListener("keydown", this.#onKey);
    this.addEventListener("focusin", () => (this.#wasFocused = true));
    this.addEventListener("pointerdown", () => (this.#wasFocused = false));
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener("keydown", this.#onKey);
  }

  get view() {
    return this.game.view;
  }

  get sheet() {
    return this.printed.sheets.find((sheet) => sheet.key === this.view.sheet);
  }

  updated() {
    const { turn } = this.view;
    this.querySelectorAll("qx-felt, qx-log").forEach((part) => part.requestUpdate());
    this.passAutomatically();
    if (this.armed && (this.armed.roll !== turn?.roll || this.armed.phase !== turn?.phase)) this.armed = this.gain = null;
    if (isMine(this.view) && !this.#wasMine && turn.phase === "roll") play("turn");
    this.#wasMine = isMine(this.view);
    requestAnimationFrame(() => this.keepFocus());
  }

  // A cell that was marked is no button any more: the focus goes to the place of the dice.
  keepFocus() {
    if (this.#wasFocused && document.activeElement === document.body) this.querySelector(".felt")?.focus({ preventScroll: true });
  }

  press(event) {
    const key = keyOf(event);
    if (key === null || document.querySelector("dialog[open], :popover-open")) return;
    event.preventDefault();
    if (key === "help") this.listing = true;
    else if (typeof key === "number") this.querySelectorAll(".own .row")[key]?.querySelector("button[data-option]")?.focus();
    else this.querySelector(`.felt [data-action=${key}]`)?.click();
  }

  // Passes if that is the only option and the setting says so; after a delay, so that the player sees the dice.
  passAutomatically() {
    const { options, your_answer: answer, turn } = this.view;
    const moment = `${turn?.roll} ${turn?.phase}`;
    if (!settings.get("autopass") || answer || options.length !== 1 || options[0].type !== "pass" || this.#passed === moment) return;
    this.#passed = moment;
    setTimeout(() => this.awaits(options[0]) && this.send(options[0]), PASS_AFTER_MS);
  }

  // Whether the game still waits for this answer: the player may have passed by hand meanwhile.
  awaits({ roll, phase }) {
    const { options, your_answer: answer } = this.view;
    return this.isConnected && !answer && options[0]?.roll === roll && options[0]?.phase === phase;
  }

  choose({ detail: { action, offered } }) {
    const { roll, phase } = this.view.turn;
    const whole = { ...action, roll, phase };
    if (!offered && !this.game.isScripted) return this.attempt(() => this.game.ask(whole));
    if (!settings.get("confirm") || same(whole, this.armed)) return this.send(whole);
    this.armed = whole;
    return this.loadPreview(whole);
  }

  // The points that the mark would add, as the server counts them.
  async loadPreview(action) {
    this.gain = null;
    try {
      const { points } = await this.game.preview(action);
      if (same(action, this.armed)) this.gain = points.after - points.before;
    } catch {
      this.gain = null;
    }
  }

  async send(action) {
    this.armed = this.gain = this.aimed = null;
    await this.attempt(() => this.game.act(action));
  }

  render() {
    const { view } = this;
    return html`
      <section class="table" aria-label=${t("table.title")} data-seats=${view.seats.length}>
        ${this.game.isScripted ? nothing : this.top()}
        <qx-seats .view=${view} .spoken=${this.game.spoken}></qx-seats>
        ${view.turn ? html`<qx-felt .game=${this.game} .printed=${this.printed} .sheet=${this.sheet} .armed=${this.armed} .gain=${this.gain ?? null} .aimed=${this.aimed} ?waits=${this.busy}
          @act=${({ detail }) => this.send(detail)}></qx-felt>` : nothing}
        ${view.you === null ? nothing : this.own()}
        ${this.others()}
        <qx-log .view=${view} .events=${this.game.history}></qx-log>
        <p class="hidden" aria-live="polite">${this.game.latest.map((event) => eventSentence(view, event)).filter(Boolean).join(" ")}</p>
      </section>
      ${this.dialog()}
      ${this.game.isScripted ? nothing : html`<qx-coach .view=${view}></qx-coach>`}
    `;
  }

  top() {
    const { view } = this;
    return html`<div class="top">
      <a class="quiet home-link" href="/" aria-label=${t("nav.home")}>${icon("home")}</a>
      <h1>${named("ruleset", view.ruleset)} ${view.sheet === "classic" ? nothing : html`<small>${named("sheet_name", view.sheet)}</small>`}</h1>
      ${view.turn ? html`<span class="muted">${t("table.turn", { n: view.turn.number })}</span>` : nothing}
      <span class="link" data-state=${this.game.link} role="status"><span>${t(`link.${this.game.link}`)}</span></span>
      <qx-phrases .game=${this.game}></qx-phrases>
      <a class="quiet rules-link" href="/rules/${view.ruleset}#${view.sheet}" target="_blank">${icon("book")} ${t("nav.rules")}</a>
      ${view.you === null ? nothing : html`<button type="button" class="quiet" aria-label=${t("action.resign")} title=${t("action.resign")} @click=${() => (this.leaving = true)}>${icon("flag")}</button>`}
    </div>`;
  }

  resigning() {
    const { seats, you } = this.view;
    const others = seats.filter(({ seat, state }) => seat !== you && state !== "resigned");
    const text = others.length === 1 ? t("table.resign_two", { who: nameOf(this.view, others[0].seat) }) : t("table.resign_sure");
    return html`<p>${text}</p><div class="ask actions">
      <button type="button" class="danger" @click=${() => this.resign()}>${t("action.resign")}</button>
      <button type="button" @click=${() => (this.leaving = false)}>${t("table.stay")}</button></div>`;
  }

  resign() {
    this.leaving = false;
    this.send({ type: "resign" });
  }

  own() {
    const { view } = this;
    const pad = view.sheets.find((sheet) => sheet.seat === view.you);
    const options = view.options.filter((option) => ON_SHEET.has(option.type));
    const answering = view.options.some((option) => option.type === "pass");
    return html`<section class="own" aria-label=${t("table.yours")}>
      <qx-sheet .sheet=${this.sheet} .pad=${pad} .closed=${view.closed_rows} .options=${options} .answer=${view.your_answer} .armed=${this.armed}
        .sum=${["white", "write"].includes(view.turn?.phase) ? sumOf(view.turn.dice) : undefined} .live=${answering && view.status === "playing"} .last=${this.last(view.you)} .hint=${view.hint} scaled
        @choose=${this.choose} @aim=${({ detail }) => (this.aimed = detail)}></qx-sheet>
    </section>`;
  }

  last(seat) {
    return lastMarks(this.game.history, seat);
  }

  others() {
    const { view } = this;
    return html`<section class="others" aria-label=${t("table.others")}>
      ${view.sheets.filter((sheet) => sheet.seat !== view.you).map(
        (pad) => html`<button type="button" class="other" aria-label=${t("table.enlarge", { who: nameOf(view, pad.seat) })} @click=${() => (this.enlarged = pad.seat)}>
          <b>${nameOf(view, pad.seat)}</b>
          <qx-sheet compact .sheet=${this.sheet} .pad=${pad} .closed=${view.closed_rows} .last=${this.last(pad.seat)}></qx-sheet>
        </button>`,
      )}
    </section>`;
  }

  dialog() {
    if (this.leaving) return html`<qx-dialog label=${t("action.resign")} .body=${this.resigning()} @close=${() => (this.leaving = false)}></qx-dialog>`;
    if (this.listing) return html`<qx-dialog label=${t("keys.title")} .body=${this.keys()} @close=${() => (this.listing = false)}></qx-dialog>`;
    const pad = this.view.sheets.find((sheet) => sheet.seat === this.enlarged);
    if (!pad) return nothing;
    const body = html`<qx-sheet .sheet=${this.sheet} .pad=${pad} .closed=${this.view.closed_rows} .last=${this.last(pad.seat)}></qx-sheet>`;
    return html`<qx-dialog label=${nameOf(this.view, pad.seat)} .body=${body} @close=${() => (this.enlarged = null)}></qx-dialog>`;
  }

  keys() {
    return html`<dl class="keys">${KEYS.map(([keys, name]) => html`<div><dt>${keys.map((key) => html`<kbd>${key}</kbd>`)}</dt><dd>${t(`keys.${name}`)}</dd></div>`)}</dl>`;
  }
}

define("qx-table", Table);
