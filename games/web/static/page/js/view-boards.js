// Leaderboards: the best of a day, a week, a month or of all time, and where I stand.

import { ensurePlayer, get, session } from "./api.js";
import { define, html, nothing, Part, said } from "./element.js";
import { playerName } from "./story.js";
import { figure, named, t } from "./words.js";

const METRICS = ["rating", "wins", "best_score", "points"];
const PERIODS = ["day", "week", "month", "all"];
const GAMES = ["qwixx", "qwinto"];

class Boards extends Part {
  static properties = { ruleset: { type: String }, metric: { type: String }, period: { state: true }, board: { state: true }, failure: { state: true } };

  get heading() {
    return t("nav.boards");
  }

  connectedCallback() {
    super.connectedCallback();
    this.ruleset ??= "qwixx";
    this.metric ??= "rating";
    this.period ??= "all";
    this.look();
  }

  async look(address) {
    this.failure = null;
    try {
      await ensurePlayer();
      const path = address ? new URL(address, location.href) : null;
      this.board = await get(path ? path.pathname.replace("/api/v1", "") + path.search : `/leaderboards/${this.ruleset}/${this.metric}?period=${this.period}`);
    } catch (error) {
      this.board = null;
      this.failure = said(error);
    }
  }

  choose(name, value) {
    this[name] = value;
    this.look();
  }

  render() {
    return html`<section class="card">
      <h1>${t("nav.boards")}</h1>
      ${this.tabs("ruleset", GAMES, "ruleset")} ${this.tabs("metric", METRICS, "board")} ${this.tabs("period", PERIODS, "period")}
      ${this.failure ? html`<p>${this.failure}</p>` : this.table()}
    </section>`;
  }

  tabs(name, keys, kind) {
    return html`<div class="tabs" role="group" aria-label=${t(`boards.${name}`)}>
      ${keys.map((key) => html`<button type="button" aria-pressed=${String(this[name] === key)} @click=${() => this.choose(name, key)}>${named(kind, key)}</button>`)}
    </div>`;
  }

  table() {
    if (!this.board) return html`<p class="loading">${t("app.loading")}</p>`;
    const { results, you, next, previous } = this.board;
    if (!results.length) return html`<p class="muted">${t("boards.empty")}</p>`;
    return html`<table class="board">
        <thead><tr><th scope="col">${t("boards.rank")}</th><th scope="col">${t("boards.player")}</th><th scope="col">${named("board", this.metric)}</th></tr></thead>
        <tbody>${results.map((entry) => this.line(entry))}</tbody>
        ${you && !results.some((entry) => entry.player.id === you.player.id) ? html`<tfoot>${this.line(you)}</tfoot>` : nothing}
      </table>
      <div class="actions">
        ${previous ? html`<button type="button" @click=${() => this.look(previous)}>${t("boards.previous")}</button>` : nothing}
        ${next ? html`<button type="button" @click=${() => this.look(next)}>${t("boards.next")}</button>` : nothing}
      </div>`;
  }

  line({ rank, player, value }) {
    return html`<tr ?data-you=${player.id === session.player?.id}><td>${figure(rank)}</td><td><a href="/player/${player.id}">${playerName(player)}</a></td><td>${figure(value)}</td></tr>`;
  }
}

define("qx-boards", Boards);
