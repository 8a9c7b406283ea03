// The player's games, those that wait for the player first, and the invitations.

import { command, get, session } from "./api.js";
import { takeSeat } from "./client-seed.js";
import { define, errorText, html, nothing, Part } from "./element.js";
import { gameLine } from "./part-list.js";
import { icon } from "./pictures.js";
import { go } from "./routes.js";
import { named, t } from "./words.js";

const OVER = ["finished", "aborted", "voided"];

class Games extends Part {
  static properties = { lists: { state: true }, invitations: { state: true }, failure: { state: true } };
  #receive = () => this.refresh();

  get heading() {
    return t("nav.games");
  }

  connectedCallback() {
    super.connectedCallback();
    if (!session.token) return;
    this.refresh();
    addEventListener("qx-me", this.#receive);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("qx-me", this.#receive);
  }

  async refresh() {
    try {
      const [home, over] = await Promise.all([get("/home"), get(`/games?mine=true&status=${OVER}&limit=60`)]);
      const waiting = new Set(home.waiting.map((game) => game.id));
      const ended = OVER.map((status) => [status, over.results.filter((game) => game.status === status)]);
      this.lists = { waiting: home.waiting, playing: home.playing.filter((game) => !waiting.has(game.id)), open: home.open, ...Object.fromEntries(ended) };
      this.invitations = home.invitations;
      this.failure = null;
    } catch (error) {
      this.failure = errorText(error);
    }
  }

  render() {
    const empty = !session.token || (this.lists && !Object.values(this.lists).some((games) => games.length) && !this.invitations?.length);
    return html`<h1>${t("nav.games")}</h1>
      ${this.failure ? html`<p>${this.failure}</p>` : nothing}
      ${empty ? html`<section class="card"><p class="muted">${t("games.empty")}</p><a class="button main" href="/">${t("games.first")}</a></section>` : nothing}
      ${this.invitations?.length ? html`<section class="card"><h2>${t("games.invitations")}</h2><ul class="list">${this.invitations.map((each) => this.invitation(each))}</ul></section>` : nothing}
      ${Object.entries(this.lists ?? {}).filter(([, games]) => games.length).map(
        ([name, games]) => html`<section class="card"><h2>${t(`games.${name}`)}</h2><ul class="list">${games.map((game) => gameLine(game))}</ul></section>`,
      )}`;
  }

  invitation(each) {
    const answer = (verb) => this.attempt(async () => {
      const path = `/invitations/${each.id}/${verb}`;
      if (verb === "accept") return go(`/game/${(await takeSeat(path)).id}`);
      await command(path);
      await this.refresh();
    });
    return html`<li>${icon("sealed")}<span>${t("games.invited", { who: each.by.name, game: named("ruleset", each.ruleset) })}</span>
      <button type="button" class="main" @click=${() => answer("accept")}>${t("games.accept")}</button>
      <button type="button" @click=${() => answer("decline")}>${t("games.decline")}</button></li>`;
  }
}

define("qx-games", Games);
