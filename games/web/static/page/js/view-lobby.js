// The lobby: the open public games, live, and matchmaking.

import { ensurePlayer, get } from "./api.js";
import { takeSeat } from "./client-seed.js";
import { define, errorText, html, nothing } from "./element.js";
import { gameLine } from "./part-list.js";
import "./part-match.js";
import { Printing } from "./part-prints.js";
import { go } from "./routes.js";
import { every, Stream } from "./stream.js";
import { named, t } from "./words.js";

const REFRESH_EVERY_MS = 4000;

class Lobby extends Printing {
  static properties = { games: { state: true }, filter: { state: true }, link: { state: true }, failure: { state: true } };

  get heading() {
    return t("nav.lobby");
  }

  async connectedCallback() {
    super.connectedCallback();
    try {
      await ensurePlayer();
      await this.refresh();
    } catch (error) {
      this.failure = errorText(error);
      return;
    }
    if (this.isConnected) this.listen();
  }

  listen() {
    this.stream = new Stream({
      address: () => `/ws/v1/lobby?${this.filter ?? ""}`,
      onFrame: (frame) => this.frame(frame),
      onState: (state) => (this.link = state),
      poll: every(REFRESH_EVERY_MS, () => this.refresh()),
    });
    this.stream.start();
  }

  // Shows only the games of one ruleset and sheet; an empty filter shows all.
  async choose(filter) {
    this.filter = filter;
    this.stream?.stop();
    await this.attempt(() => this.refresh());
    if (this.isConnected) this.listen();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.stream?.stop();
  }

  async refresh() {
    this.games = (await get(`/games?status=open&limit=50&${this.filter ?? ""}`)).results;
  }

  frame(frame) {
    if (frame.type === "games") this.games = frame.games.filter((game) => game.status === "open");
    if (frame.type !== "game") return;
    const others = (this.games ?? []).filter((game) => game.id !== frame.game.id);
    this.games = frame.game.status === "open" && frame.game.visibility === "public" ? [frame.game, ...others] : others;
  }

  render() {
    return html`<div class="columns">
      <section class="card">
        <header class="split"><h1>${t("lobby.title")}</h1>${this.link ? html`<span class="link" data-state=${this.link} role="status">${t(`link.${this.link}`)}</span>` : nothing}</header>
        ${this.failure ? html`<p>${this.failure}</p>` : html`${this.choice()}${this.list()}`}
        <a class="button main" href="/new">${t("home.create")}</a>
      </section>
      <section class="card"><h2>${t("match.title")}</h2><p>${t("match.about")}</p><qx-match></qx-match></section>
    </div>`;
  }

  choice() {
    return html`<label>${t("new.sheet")}<select name="filter" @change=${(event) => this.choose(event.target.value)}>
      <option value="">${t("lobby.all_sheets")}</option>
      ${(this.printings ?? []).flatMap(({ key, sheets }) => sheets.map((sheet) => html`<option value=${new URLSearchParams({ ruleset: key, sheet: sheet.key })}>${named("ruleset", key)} · ${named("sheet_name", sheet.key)}</option>`))}
    </select></label>`;
  }

  list() {
    if (!this.games) return html`<p class="loading">${t("app.loading")}</p>`;
    if (!this.games.length) return html`<p class="muted">${t("lobby.empty")}</p>`;
    return html`<ul class="list">${this.games.map((game) => gameLine(game, { label: t("room.join"), onTake: (each) => this.take(each) }))}</ul>`;
  }

  async take(game) {
    const joined = await this.attempt(async () => {
      try {
        return await takeSeat(`/games/${game.id}/join`);
      } catch (error) {
        if (error.code === "already_seated") return game;
        throw error;
      }
    });
    if (joined) go(`/game/${game.id}`);
  }
}

define("qx-lobby", Lobby);
