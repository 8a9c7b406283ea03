// The public page of a player: name, statistics per ruleset, games.

import { ensurePlayer, get, session } from "./api.js";
import { define, errorText, html, nothing, Part } from "./element.js";
import { gameLine } from "./part-list.js";
import "./part-person.js";
import { curve } from "./pictures.js";
import { playerName } from "./event-sentences.js";
import { figure, named, t } from "./words.js";

const FIGURES = ["played", "won", "average", "best"];

class Player extends Part {
  static properties = { player: { type: String }, profile: { state: true }, stats: { state: true }, games: { state: true }, failure: { state: true } };

  get heading() {
    return this.profile?.name ?? t("boards.player");
  }

  async connectedCallback() {
    super.connectedCallback();
    try {
      await ensurePlayer();
      this.profile = await get(`/players/${this.player}`);
      this.stats = await get(`/players/${this.player}/stats`).catch(() => null);
      this.games = (await get(`/players/${this.player}/games`).catch(() => ({ results: [] }))).results;
    } catch (error) {
      this.failure = errorText(error);
    }
  }

  render() {
    if (this.failure) return html`<section class="card narrow"><h1>${t("boards.player")}</h1><p>${this.failure}</p></section>`;
    if (!this.profile) return html`<p class="loading">${t("app.loading")}</p>`;
    return html`<section class="card"><h1>${playerName(this.profile)}</h1>${this.figures()}</section>
      ${this.profile.id === session.player?.id ? nothing : this.dealings()}
      ${this.games?.length ? html`<section class="card"><h2>${t("player.games")}</h2><ul class="list">${this.games.map((game) => gameLine(game))}</ul></section>` : nothing}`;
  }

  dealings() {
    return html`<section class="card"><h2>${t("person.title")}</h2>
      <p><a class="button main" href="/new?invite=${this.profile.id}">${t("person.invite")}</a></p>
      <qx-person .player=${this.profile}></qx-person></section>`;
  }

  figures() {
    return (this.stats?.results ?? []).map(
      (each) => html`<h2>${named("ruleset", each.ruleset)}</h2>
        <dl class="figures">${FIGURES.filter((name) => typeof each[name] === "number").map((name) => html`<div><dt>${t(`figure.${name}`)}</dt><dd>${figure(each[name])}</dd></div>`)}
          <div><dt>${t("board.rating")}</dt><dd>${figure(each.rating.value)}${each.rating.provisional ? html` <small class="muted">${t("figure.provisional")}</small>` : nothing}</dd></div></dl>
        ${each.rating.history.length > 1 ? html`<figure role="img" aria-label=${t("figure.history", { from: figure(each.rating.history.at(-1).value), to: figure(each.rating.value) })}>${curve(each.rating.history.map((point) => point.value).reverse())}</figure>` : nothing}
        ${each.sheets.length > 1 ? this.sheets(each.sheets) : nothing}`,
    );
  }

  sheets(sheets) {
    return html`<table><thead><tr><th scope="col">${t("new.sheet")}</th>${FIGURES.map((name) => html`<th scope="col">${t(`figure.${name}`)}</th>`)}</tr></thead>
      <tbody>${sheets.map((each) => html`<tr><th scope="row">${named("sheet_name", each.sheet)}</th>${FIGURES.map((name) => html`<td>${figure(each[name])}</td>`)}</tr>`)}</tbody></table>`;
  }
}

define("qx-player", Player);
