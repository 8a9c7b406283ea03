// The start page: one tap starts a game against a bot.

import { startBotGame } from "./bot-game.js";
import { define, html, nothing, Part } from "./element.js";
import { playerName } from "./event-sentences.js";
import { home } from "./home.js";
import { LEVELS } from "./levels.js";
import { die, icon, shape } from "./pictures.js";
import { go } from "./routes.js";
import { settings } from "./settings.js";
import { list, named, t } from "./words.js";

// The rulesets and their dice, taken from the HTML of the page, so that they are shown at once and without a network.
const GAMES = JSON.parse(document.querySelector("qx-app").dataset.games ?? "[]");
const FACES = [3, 5, 4, 1, 6, 2];

class Home extends Part {
  get heading() {
    return t("home.title");
  }

  render() {
    return html`
      <section class="hero">
        <h1>${t("home.title")}</h1>
        <p>${t("home.lead")}</p>
        ${this.resume()}
        <div class="picks">${GAMES.map((game) => this.pick(game))}</div>
        <fieldset class="choice strength"><legend>${t("home.strength")}</legend>
          ${LEVELS.map((level) => html`<label><input type="radio" name="level" value=${level} .checked=${settings.get("level") === level} @change=${() => settings.set("level", level)}><span>${named("level", level)}</span></label>`)}
        </fieldset>
        <p class="learn">${GAMES.map(({ key }) => html`<a href="/learn/${key}">${icon("book")} ${t("learn.title", { game: named("ruleset", key) })}</a>`)}</p>
      </section>
      <section class="tiles" aria-label=${t("home.more")}>
        ${this.tile("/lobby", "lobby", "home.people")} ${this.tile("/new", "plus", "home.create")}
        ${this.tile("/games", "games", "home.mine")} ${this.tile("/boards", "boards", "home.boards")}
      </section>
      <section class="card">
        <h2>${t("join.title")}</h2>
        <form class="inline" @submit=${this.join}>
          <label>${t("share.code")}<input name="code" required maxlength="12" autocapitalize="characters" autocomplete="off" spellcheck="false" placeholder="K7QXM2"></label>
          <button>${t("join.go")}</button>
        </form>
      </section>
      <section class="card fair">
        <h2>${t("home.fair")}</h2>
        <p>${t("home.fair_text")}</p>
        <p class="tags">${["red", "yellow", "green", "blue"].map((colour) => html`<span class="glyph" data-colour=${colour}>${shape(colour)}</span>`)}</p>
      </section>
      <footer class="foot-links">
        <a href="/rules">${icon("book")} ${t("home.rules")}</a> <a href="/about">${t("nav.about")}</a>
      </footer>
    `;
  }

  // Known when the view opens, so that nothing moves later.
  connectedCallback() {
    super.connectedCallback();
    this.game = home.data?.playing?.[0];
  }

  // The game that was begun last and is not over.
  resume() {
    const { game } = this;
    if (!game) return nothing;
    const others = game.seats.filter(({ seat }) => seat !== game.you).map(({ player }) => playerName(player));
    return html`<a class="resume" href="/game/${game.id}">${icon("games")}
      <span><b>${t("home.resume", { game: named("ruleset", game.ruleset) })}</b><small>${list(others)}${game.turn?.waiting_for?.includes(game.you) ? ` · ${t("games.waiting")}` : ""}</small></span></a>`;
  }

  pick({ key, dice }) {
    return html`<button type="button" class="pick-game" data-ruleset=${key} ?disabled=${this.busy} @click=${() => this.attempt(() => startBotGame(key))}>
      <span class="dice" aria-hidden="true">${dice.map((colour, place) => die(colour, FACES[place % FACES.length]))}</span>
      <span class="big">${t("home.play", { game: named("ruleset", key) })}</span>
      <small>${t("home.at_once")}</small>
    </button>`;
  }

  tile(path, drawing, text) {
    return html`<a class="tile" href=${path}>${icon(drawing)}<b>${t(text)}</b><small>${t(`${text}_text`)}</small></a>`;
  }

  // Accepts lower case, spaces and dashes in a code.
  join(event) {
    event.preventDefault();
    const code = new FormData(event.target).get("code").toUpperCase().replace(/[^0-9A-Z]/g, "");
    go(`/join/${code || "-"}`);
  }
}

define("qx-home", Home);
