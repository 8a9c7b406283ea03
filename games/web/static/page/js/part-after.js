// A game that is over: the result, a slider over all versions, the proof of the dice, and the rematch.

import { get, raw } from "./api.js";
import { startBotGame } from "./bot-game.js";
import { takeSeat } from "./client-seed.js";
import { define, errorText, html, nothing, Part } from "./element.js";
import { LEVELS } from "./levels.js";
import { dismiss } from "./part-coach.js";
import { bubble } from "./part-phrases.js";
import "./part-proof.js";
import { share } from "./part-share.js";
import "./part-dice.js";
import "./part-sheet.js";
import { settings } from "./settings.js";
import { icon } from "./pictures.js";
import { go } from "./routes.js";
import { endSentence } from "./ending.js";
import { eventSentence, nameOf } from "./event-sentences.js";
import { figure, named, t } from "./words.js";

const KEPT = 60; // views of other versions; the slider may go over thousands

class After extends Part {
  static properties = { game: { attribute: false }, printed: { attribute: false }, version: { state: true }, shown: { state: true }, failure: { state: true } };
  #views = new Map();
  #events = null;
  #moving = null;

  get view() {
    return this.game.view;
  }

  get sheet() {
    return this.printed.sheets.find((each) => each.key === this.view.sheet);
  }

  render() {
    const { view } = this;
    const { result } = view;
    return html`
      <section class="card result">
        <h1>${this.title()}</h1>
        <p class="muted">${endSentence(view, this.game.history, this.sheet)}</p>
        ${view.status === "voided" ? html`<p class="verdict" data-mood="bad">${t("after.voided")}</p>` : nothing}
        ${result?.ranking?.length ? html`<ol class="ranking">${result.ranking.map((entry) => this.entry(entry))}</ol>` : nothing}
        <div class="actions">
          ${view.you === null ? nothing : html`<button type="button" class="main" ?disabled=${this.busy} @click=${this.rematch}>${icon("again")} ${t(view.next_game ? "after.rematch_join" : "after.rematch")}</button>`}
          ${this.stronger()}
          ${view.visibility === "public" ? html`<button type="button" @click=${() => share(location.href)}>${icon("share")} ${t("after.share")}</button>` : nothing}
          <a class="button" href="/">${t("nav.home")}</a>
          <qx-phrases .game=${this.game}></qx-phrases>
        </div>
      </section>
      <section class="card"><h2>${t("proof.title")}</h2><qx-proof .game=${this.game.id}></qx-proof></section>
      ${this.replay()}
    `;
  }

  // After a win against a bot: the next level.
  stronger() {
    const { view } = this;
    const won = view.result?.ranking?.some(({ seat, rank }) => seat === view.you && rank === 1);
    const level = LEVELS[LEVELS.indexOf(view.seats.find(({ player }) => player?.level)?.player.level) + 1];
    if (!won || view.seats.length !== 2 || !level || level === LEVELS[0]) return nothing;
    return html`<button type="button" ?disabled=${this.busy} @click=${() => this.tryLevel(level)}>${t("after.stronger", { level: named("level", level) })}</button>`;
  }

  tryLevel(level) {
    settings.set("level", level);
    return this.attempt(() => startBotGame(this.view.ruleset, this.view.sheet));
  }

  // The tips belong to the first game of each ruleset.
  firstUpdated() {
    dismiss(this.view.ruleset);
  }

  title() {
    const { view } = this;
    const best = view.result?.ranking?.filter((entry) => entry.rank === 1) ?? [];
    if (!best.length) return t(`status.${view.status}`);
    if (best.some((entry) => entry.seat === view.you)) return t(best.length > 1 ? "after.shared" : "after.won");
    return t("after.winner", { who: best.map((entry) => nameOf(view, entry.seat)).join(", ") });
  }

  entry({ seat, rank, points }) {
    return html`<li ?data-you=${seat === this.view.you}><span class="rank">${figure(rank)}</span><span>${this.who(seat)} ${bubble(this.game.spoken, seat)}</span><b>${t("points.n", { n: points })}</b></li>`;
  }

  // The name of another player opens the dialog about that player.
  who(seat) {
    const player = this.view.seats.find((each) => each.seat === seat)?.player;
    if (!player?.id || seat === this.view.you) return nameOf(this.view, seat);
    return html`<button type="button" class="link-like" aria-label=${t("person.open", { who: player.name })} @click=${() => this.dispatchEvent(new CustomEvent("person", { detail: player, bubbles: true }))}>${player.name}</button>`;
  }

  async rematch() {
    const next = await this.attempt(() => takeSeat(`/games/${this.game.id}/rematch`));
    if (next) go(`/game/${next.id}`);
  }

  replay() {
    const head = this.view.version;
    const version = this.version ?? head;
    const shown = this.shown ?? this.view;
    const event = this.#events?.[version - 1];
    return html`<section class="card replay" aria-label=${t("replay.title")}>
      <h2>${t("replay.title")}</h2>
      <div class="slider">
        <button type="button" class="quiet" aria-label=${t("replay.back")} ?disabled=${version <= 1} @click=${() => this.move(version - 1)}>◀</button>
        <input type="range" min="1" max=${head} .value=${String(version)} aria-label=${t("replay.title")} aria-valuetext=${t("replay.at", { n: version, of: head })}
          @input=${(change) => this.move(Number(change.target.value))}>
        <button type="button" class="quiet" aria-label=${t("replay.on")} ?disabled=${version >= head} @click=${() => this.move(version + 1)}>▶</button>
        <span class="muted">${t("replay.at", { n: version, of: head })}</span>
      </div>
      <p class="told" aria-live="polite">${this.failure ?? ((event && eventSentence(shown, event)) || " ")}</p>
      ${shown.turn?.dice ? html`<qx-dice .dice=${shown.turn.dice} .roll=${0}></qx-dice>` : nothing}
      <div class="sheets">
        ${shown.sheets.map(
          (pad) => html`<section class="past" aria-label=${nameOf(shown, pad.seat)} ?data-active=${shown.turn?.active === pad.seat}>
            <h3>${nameOf(shown, pad.seat)}</h3>
            <qx-sheet .sheet=${this.sheet} .pad=${pad} .closed=${shown.closed_rows} .last=${this.marked(event, pad.seat)}></qx-sheet>
          </section>`,
        )}
      </div>
    </section>`;
  }

  marked(event, seat) {
    return event?.data.seat === seat && ["cell_marked", "number_written"].includes(event.type) ? [event.data] : [];
  }

  // The slider may be faster than the network: only the version on which it stops is fetched.
  async move(version) {
    this.version = version;
    this.#moving ??= this.settle().finally(() => (this.#moving = null));
    await this.#moving;
  }

  async settle() {
    try {
      this.#events ??= await this.story();
      let wanted;
      do {
        wanted = this.version;
        this.shown = await this.at(wanted);
      } while (wanted !== this.version);
      this.failure = null;
    } catch (error) {
      this.failure = errorText(error);
    }
  }

  async at(version) {
    if (!this.#views.has(version)) {
      if (this.#views.size >= KEPT) this.#views.delete(this.#views.keys().next().value);
      this.#views.set(version, await get(`/games/${this.game.id}?version=${version}`));
    }
    return this.#views.get(version);
  }

  async story() {
    const lines = (await (await raw("GET", `/games/${this.game.id}/export`)).text()).trim().split("\n");
    return lines.slice(1).map((line) => JSON.parse(line));
  }
}

define("qx-after", After);
