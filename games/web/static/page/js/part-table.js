// A game in progress: dice, turn, the player's own sheet with its options, the other sheets in small.
// The options come from the server; this module knows no rule.

import { call } from "./api.js";
import { define, html, nothing, Part } from "./element.js";
import "./part-clock.js";
import "./part-dialog.js";
import "./part-dice.js";
import "./part-phrases.js";
import "./part-seats.js";
import "./part-sheet.js";
import { icon } from "./pictures.js";
import { settings } from "./settings.js";
import { play } from "./sound.js";
import { eventSentence, nameOf } from "./event-sentences.js";
import { has, named, t } from "./words.js";

const ON_SHEET = new Set(["mark", "write"]);
const MARKED = new Set(["cell_marked", "number_written"]);
const PASS_AFTER_MS = 900;
const same = (one, other) => Boolean(one && other) && ["type", "row", "number", "column"].every((name) => one[name] === other[name]);

class Table extends Part {
  static properties = {
    game: { attribute: false },
    printed: { attribute: false },
    armed: { state: true },
    preview: { state: true },
    chosen: { state: true },
    enlarged: { state: true },
    leaving: { state: true },
  };
  #passed = "";
  #wasMine = false;

  get view() {
    return this.game.view;
  }

  get sheet() {
    return this.printed.sheets.find((sheet) => sheet.key === this.view.sheet);
  }

  get mine() {
    return this.view.turn?.waiting_for.includes(this.view.you);
  }

  get whiteSum() {
    const white = this.view.turn?.dice?.white;
    return white === undefined ? undefined : [white].flat().reduce((total, face) => total + face, 0);
  }

  updated() {
    this.passAutomatically();
    const { turn } = this.view;
    if (this.armed && (this.armed.roll !== turn?.roll || this.armed.phase !== turn?.phase)) this.armed = this.preview = null;
    if (this.mine && !this.#wasMine && turn.phase === "roll") play("turn");
    this.#wasMine = Boolean(this.mine);
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
    if (!settings.get("confirm") || !offered || same(whole, this.armed)) return this.send(whole);
    this.armed = whole;
    return this.loadPreview(whole);
  }

  // The points that the mark would add, as the server counts them.
  async loadPreview(action) {
    this.preview = null;
    try {
      const { points } = await call("POST", `/games/${this.game.id}/actions/preview`, { body: action });
      if (same(action, this.armed)) this.preview = points.after - points.before;
    } catch {
      this.preview = null;
    }
  }

  async send(action) {
    this.armed = this.preview = null;
    await this.attempt(() => this.game.act(action));
  }

  render() {
    const { view } = this;
    return html`
      <section class="table" aria-label=${t("table.title")}>
        ${this.top()}
        <qx-seats .view=${view} .spoken=${this.game.spoken}></qx-seats>
        ${this.felt()}
        ${view.you === null ? nothing : this.own()}
        <div class="side">${this.others()} ${this.news()}</div>
      </section>
      ${this.dialog()}
    `;
  }

  top() {
    const { view } = this;
    return html`<div class="top">
      <h1>${named("ruleset", view.ruleset)} ${view.sheet === "classic" ? nothing : html`<small>${named("sheet_name", view.sheet)}</small>`}</h1>
      ${view.turn ? html`<span class="muted">${t("table.turn", { n: view.turn.number })}</span>` : nothing}
      <span class="link" data-state=${this.game.link} role="status">${t(`link.${this.game.link}`)}</span>
      <qx-phrases .game=${this.game}></qx-phrases>
      <a class="quiet" href="/rules/${view.ruleset}#${view.sheet}" target="_blank" aria-label=${t("nav.rules")}>${icon("book")}</a>
      ${view.you === null ? nothing : html`<button type="button" class="quiet" aria-label=${t("action.resign")} @click=${() => (this.leaving = true)}>${icon("flag")}</button>`}
    </div>
    ${this.leaving
      ? html`<div class="ask" role="alertdialog" aria-label=${t("action.resign")}>
          <p>${t("table.resign_sure")}</p>
          <button type="button" class="danger" @click=${this.resign}>${t("action.resign")}</button>
          <button type="button" @click=${() => (this.leaving = false)}>${t("table.stay")}</button>
        </div>`
      : nothing}`;
  }

  resign() {
    this.leaving = false;
    this.send({ type: "resign" });
  }

  felt() {
    const { turn } = this.view;
    if (!turn) return nothing;
    return html`<div class="felt" ?data-mine=${this.mine}>
      <div class="prompt"><p>${this.prompt()}</p><qx-clock .deadline=${turn.deadline_at} .game=${this.game}></qx-clock></div>
      <qx-dice .dice=${turn.dice} .printed=${this.diceInGame()} .roll=${turn.roll} .chosen=${this.rolls().length > 1 ? this.picked() : null}
        @pick=${this.pick}></qx-dice>
      ${this.actions()}
    </div>`;
  }

  // All dice but those of closed rows.
  diceInGame() {
    const gone = new Set(this.view.closed_rows.map((key) => this.sheet.rows.find((row) => row.key === key)?.lock));
    return this.printed.dice.filter((colour) => !gone.has(colour));
  }

  rolls() {
    return this.view.options.filter((option) => option.type === "roll" && option.dice);
  }

  picked() {
    return this.chosen ?? new Set(this.printed.dice);
  }

  pick({ detail: colour }) {
    const next = new Set(this.picked());
    if (!next.delete(colour)) next.add(colour);
    if (next.size) this.chosen = next;
  }

  prompt() {
    const { view } = this;
    const { phase, active, waiting_for: waiting, sum } = view.turn;
    const values = { who: nameOf(view, active), sum: sum ?? this.whiteSum ?? "", names: waiting.map((seat) => nameOf(view, seat)).join(", ") };
    if (this.armed) return this.preview === null ? t("prompt.confirm") : t("prompt.confirm_points", { n: this.preview });
    if (view.you !== null && view.seats[view.you]?.state === "away") return t("prompt.away");
    if (view.your_answer) return t(view.your_answer.type === "pass" ? "prompt.passed" : "prompt.sealed", values);
    if (this.mine && !view.options.some((option) => ON_SHEET.has(option.type)) && view.options.some((option) => option.type === "pass")) return t("prompt.only_pass", values);
    const key = `prompt.${phase}.${this.mine ? "mine" : "other"}`;
    return has(key) ? t(key, values) : t("prompt.waiting", values);
  }

  actions() {
    const plain = this.view.options.filter((option) => !ON_SHEET.has(option.type) && !(option.type === "roll" && option.dice));
    const away = this.view.you !== null && this.view.seats[this.view.you]?.state === "away";
    return html`<div class="actions">
      ${this.rolls().length ? html`<button type="button" class="main" ?disabled=${this.busy} @click=${this.rollPicked}>${t("action.roll")}</button>` : nothing}
      ${plain.map(
        (option) => html`<button type="button" class=${option.type === "pass" || option.type === "reroll" ? "" : "main"} ?disabled=${this.busy}
          aria-pressed=${same(option, this.view.your_answer) ? "true" : nothing} @click=${() => this.send(option)}>${named("action", option.type)}</button>`,
      )}
      ${away ? html`<button type="button" class="main" @click=${() => this.send({ type: "return" })}>${t("action.return")}</button>` : nothing}
    </div>`;
  }

  rollPicked() {
    const picked = this.picked();
    const option = this.rolls().find(({ dice }) => dice.length === picked.size && dice.every((colour) => picked.has(colour)));
    if (option) this.send(option);
  }

  own() {
    const { view } = this;
    const pad = view.sheets.find((sheet) => sheet.seat === view.you);
    const options = view.options.filter((option) => ON_SHEET.has(option.type));
    const answering = view.options.some((option) => option.type === "pass");
    return html`<section class="own" aria-label=${t("table.yours")}>
      <qx-sheet .sheet=${this.sheet} .pad=${pad} .closed=${view.closed_rows} .options=${options} .answer=${view.your_answer} .armed=${this.armed}
        .sum=${view.turn?.phase === "white" ? this.whiteSum : undefined} .live=${answering && view.status === "playing"} .last=${this.lastMarks(view.you)} @choose=${this.choose}></qx-sheet>
    </section>`;
  }

  // The marks of a seat in the newest action of this turn, forced marks among them; the sheet highlights them.
  lastMarks(seat) {
    const marks = [];
    for (const { type, data } of this.game.news) {
      if (type === "turn_started" || (type === "phase_closed" && marks.length)) break;
      if (MARKED.has(type) && data.seat === seat) marks.push(data);
    }
    return marks;
  }

  others() {
    const { view } = this;
    return html`<section class="others" aria-label=${t("table.others")}>
      ${view.sheets.filter((sheet) => sheet.seat !== view.you).map(
        (pad) => html`<button type="button" class="other" aria-label=${t("table.enlarge", { who: nameOf(view, pad.seat) })} @click=${() => (this.enlarged = pad.seat)}>
          <b>${nameOf(view, pad.seat)}</b>
          <qx-sheet compact .sheet=${this.sheet} .pad=${pad} .closed=${view.closed_rows} .last=${this.lastMarks(pad.seat)}></qx-sheet>
        </button>`,
      )}
    </section>`;
  }

  news() {
    const lines = this.game.news.map((event) => eventSentence(this.view, event)).filter(Boolean).slice(0, 12);
    return html`<section class="news" aria-label=${t("table.news")}>
      <p class="hidden" aria-live="polite">${lines[0] ?? ""}</p>
      <ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>
    </section>`;
  }

  dialog() {
    if (this.enlarged === undefined || this.enlarged === null) return nothing;
    const pad = this.view.sheets.find((sheet) => sheet.seat === this.enlarged);
    if (!pad) return nothing;
    const body = html`<qx-sheet .sheet=${this.sheet} .pad=${pad} .closed=${this.view.closed_rows}></qx-sheet>`;
    return html`<qx-dialog label=${nameOf(this.view, pad.seat)} .body=${body} @close=${() => (this.enlarged = null)}></qx-dialog>`;
  }
}

define("qx-table", Table);
