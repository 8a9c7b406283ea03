// A game that is over: the result with its points by row, the proof of the dice, the replay, and the rematch.

import { get, session } from "./api.js";
import { startBotGame } from "./bot-game.js";
import { takeSeat } from "./client-seed.js";
import { define, html, nothing, Part } from "./element.js";
import { LEVELS } from "./levels.js";
import { dismiss } from "./part-coach.js";
import { bubble } from "./part-phrases.js";
import "./part-proof.js";
import "./part-replay.js";
import { share, sharePicture } from "./part-share.js";
import { settings } from "./settings.js";
import { icon, shape } from "./pictures.js";
import { go } from "./routes.js";
import { drawResult } from "./share-picture.js";
import { endSentence } from "./ending.js";
import { nameOf } from "./event-sentences.js";
import { figure, named, t } from "./words.js";

class After extends Part {
  static properties = { game: { attribute: false }, printed: { attribute: false }, change: { state: true } };

  #receive = ({ detail }) => detail.type === "rating_changed" && this.loadChange();

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("qx-me", this.#receive);
  }

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
        ${this.change ? html`<p class="rating">${t("after.rating", { before: figure(this.change.before.value), after: figure(this.change.after.value) })}</p>` : nothing}
        <div class="actions">
          ${view.you === null ? nothing : html`<button type="button" class="main" ?disabled=${this.busy} @click=${this.rematch}>${icon("again")} ${t(view.next_game ? "after.rematch_join" : "after.rematch")}</button>`}
          ${this.stronger()}
          <button type="button" ?disabled=${this.busy} @click=${() => this.attempt(async () => share(await this.link()))}>${icon("share")} ${t("after.share")}</button>
          ${result?.ranking?.length ? html`<button type="button" ?disabled=${this.busy} @click=${() => this.attempt(() => this.picture())}>${t("after.picture")}</button>` : nothing}
          <a class="button" href="/">${t("nav.home")}</a>
          <qx-phrases .game=${this.game}></qx-phrases>
        </div>
      </section>
      <section class="card"><h2>${t("proof.title")}</h2><qx-proof .game=${this.game}></qx-proof></section>
      <qx-replay .game=${this.game} .sheet=${this.sheet}></qx-replay>
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
    this.loadChange();
    addEventListener("qx-me", this.#receive);
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
    return html`<li ?data-you=${seat === this.view.you}><span class="rank">${figure(rank)}</span><span>${this.who(seat)} ${bubble(this.game.spoken, seat)}${this.parts(seat)}</span><b>${t("points.n", { n: points })}</b></li>`;
  }

  // The points of a seat by row, and what else counts.
  partsOf(seat) {
    const { total, ...parts } = this.view.sheets.find((pad) => pad.seat === seat)?.points ?? {};
    const rows = new Set(this.sheet.rows.map(({ key }) => key));
    return Object.entries(parts).map(([name, value]) => ({ name, value, colour: rows.has(name) ? name : null }));
  }

  parts(seat) {
    return html`<small class="parts">${this.partsOf(seat).map(({ name, value, colour }) => html`<span class="part" data-colour=${colour ?? nothing}>${colour ? shape(colour) : named("points", name)}<span class="hidden">${colour ? named("colour", colour) : ""}</span> ${value}</span>`)}</small>`;
  }

  // How a rated game changed this player's rating; it is counted a moment after the end.
  async loadChange() {
    const { view } = this;
    if (!view.rated || view.you === null) return;
    const { results } = await get(`/players/${session.player.id}/ratings/${view.ruleset}?limit=10`).catch(() => ({ results: [] }));
    this.change = results.find(({ game }) => game === view.id);
  }

  // The address at which other players see this game; that of a private game has a key.
  async link() {
    const { view } = this;
    if (view.visibility === "public" || view.you === null) return location.href;
    const { share: key } = await get(`/games/${view.id}/share-link`);
    return `${location.origin}/game/${view.id}?share=${key}`;
  }

  async picture() {
    const lines = this.view.result.ranking.map(({ seat, rank, points }) => ({ name: this.view.seats[seat].player?.name ?? "", rank, total: points, parts: this.partsOf(seat) }));
    const blob = await drawResult(`${named("ruleset", this.view.ruleset)} · ${new Date(this.view.server_time).toLocaleDateString(document.documentElement.lang)}`, lines);
    await sharePicture(blob, `${this.view.ruleset}.png`);
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
}

define("qx-after", After);
