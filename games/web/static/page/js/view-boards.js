// Leaderboards of a day, a week, a month or of all time, and the player's own rank.

import { ensurePlayer, get, rulesets, session } from "./api.js";
import { define, errorText, html, nothing } from "./element.js";
import { Printing } from "./part-prints.js";
import { playerName } from "./event-sentences.js";
import { days, figure, named, t } from "./words.js";

const METRICS = ["rating", "wins", "best_score", "points"];
const PERIODS = ["day", "week", "month", "all"];
const DAY_MS = 86_400_000;

class Boards extends Printing {
  static properties = { ruleset: { type: String }, metric: { type: String }, sheet: { state: true }, period: { state: true }, at: { state: true }, board: { state: true }, failure: { state: true } };

  get heading() {
    return t("nav.boards");
  }

  connectedCallback() {
    super.connectedCallback();
    this.metric ??= "rating";
    this.period ??= "all";
    this.refresh();
  }

  async refresh(address) {
    this.failure = null;
    try {
      await ensurePlayer();
      this.ruleset ??= (await rulesets())[0].key;
      const path = address ? new URL(address, location.href) : null;
      this.board = await get(path ? path.pathname.replace("/api/v1", "") + path.search : `/leaderboards/${this.ruleset}/${this.metric}?${this.query()}`);
    } catch (error) {
      this.board = null;
      this.failure = errorText(error);
    }
  }

  query() {
    const wanted = { period: this.period, at: this.at, sheet: this.metric === "rating" ? null : this.sheet };
    return new URLSearchParams(Object.entries(wanted).filter(([, value]) => value));
  }

  choose(name, value) {
    if (name === "ruleset") this.sheet = null;
    this[name] = value;
    this.at = null;
    this.refresh();
  }

  // Selects the previous or next period by one of its days.
  turn(time) {
    this.at = new Date(time).toISOString().slice(0, 10);
    this.refresh();
  }

  render() {
    return html`<section class="card">
      <h1>${t("nav.boards")}</h1>
      ${this.tabs("ruleset", (this.printings ?? []).map((each) => each.key), "ruleset")} ${this.tabs("metric", METRICS, "board")} ${this.tabs("period", PERIODS, "period")} ${this.sheets()}
      ${this.board?.from ? this.calendar() : nothing}
      ${this.failure ? html`<p>${this.failure}</p>` : this.table()}
    </section>`;
  }

  tabs(name, keys, kind) {
    return html`<div class="tabs" role="group" aria-label=${t(`boards.${name}`)}>
      ${keys.map((key) => html`<button type="button" aria-pressed=${String(this[name] === key)} @click=${() => this.choose(name, key)}>${named(kind, key)}</button>`)}
    </div>`;
  }

  // A rating is one for all sheets.
  sheets() {
    const { sheets = [] } = (this.printings ?? []).find((each) => each.key === this.ruleset) ?? {};
    if (this.metric === "rating" || sheets.length < 2) return nothing;
    return html`<p><label>${t("new.sheet")}<select name="sheet" @change=${(event) => this.choose("sheet", event.target.value)}>
      <option value="">${t("lobby.all_sheets")}</option>
      ${sheets.map(({ key }) => html`<option value=${key} ?selected=${key === this.sheet}>${named("sheet_name", key)}</option>`)}
    </select></label></p>`;
  }

  calendar() {
    const [from, to] = [Date.parse(this.board.from), Date.parse(this.board.to)];
    return html`<div class="calendar">
      <button type="button" aria-label=${t("boards.before")} @click=${() => this.turn(from - DAY_MS)}>◀</button>
      <span>${days(from, to - DAY_MS)}</span>
      <button type="button" aria-label=${t("boards.after")} ?disabled=${to > Date.now()} @click=${() => this.turn(to)}>▶</button>
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
        ${previous ? html`<button type="button" @click=${() => this.refresh(previous)}>${t("boards.previous")}</button>` : nothing}
        ${next ? html`<button type="button" @click=${() => this.refresh(next)}>${t("boards.next")}</button>` : nothing}
      </div>`;
  }

  line({ rank, player, value }) {
    return html`<tr ?data-you=${player.id === session.player?.id}><td>${figure(rank)}</td><td><a href="/player/${player.id}">${playerName(player)}</a></td><td>${figure(value)}</td></tr>`;
  }
}

define("qx-boards", Boards);
