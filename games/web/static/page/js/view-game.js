// One game in any status: before its start, in progress, or over.

import { ensurePlayer, get } from "./api.js";
import { define, errorText, html, nothing } from "./element.js";
import { Game } from "./game.js";
import "./part-dialog.js";
import "./part-person.js";
import { Printing } from "./part-prints.js";
import { go } from "./routes.js";
import { playFor } from "./sound.js";
import { named, t } from "./words.js";

const PARTS = { open: () => import("./part-room.js"), playing: () => import("./part-table.js"), over: () => import("./part-after.js") };

class GameView extends Printing {
  static properties = { game: { type: String }, failure: { state: true }, part: { state: true }, person: { state: true } };

  get heading() {
    return this.model?.view ? named("ruleset", this.model.view.ruleset) : t("table.title");
  }

  connectedCallback() {
    super.connectedCallback();
    this.addEventListener("person", (event) => (this.person = event.detail));
    this.open();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.model?.close();
  }

  async open() {
    try {
      await ensurePlayer();
      const model = (this.model = new Game(this.game, new URLSearchParams(location.search).get("share")));
      model.addEventListener("change", () => this.changed());
      model.addEventListener("news", (event) => this.receive(event.detail));
      model.addEventListener("end", () => this.ended());
      await model.open();
      if (!this.isConnected) model.close();
    } catch (error) {
      this.failure = errorText(error);
    }
  }

  // The server closed the stream for good. A player who was signed out or banned sees that, not "no such game".
  async ended() {
    this.failure = await get("/players/me").then(() => t("table.closed"), errorText);
  }

  // The module of a part is loaded before it is rendered; until then the current part stays.
  async changed() {
    const { status } = this.model.view;
    const part = PARTS[status] ? status : "over";
    if (part !== this.part) {
      await PARTS[part]();
      this.part = part;
    }
    this.requestUpdate();
    this.querySelector("qx-room, qx-table, qx-after")?.requestUpdate();
  }

  receive(events) {
    playFor(events);
    if (events.some((event) => ["turn_started", "phase_closed", "game_ended"].includes(event.type))) dispatchEvent(new Event("qx-waiting"));
  }

  render() {
    if (this.failure) {
      return html`<section class="card narrow"><h1>${t("table.title")}</h1><p>${this.failure}</p>
        <button type="button" class="main" @click=${() => go("/")}>${t("nav.home")}</button></section>`;
    }
    const printed = this.printing(this.model?.view?.ruleset);
    if (!this.part || !printed) return html`<p class="loading">${t("app.loading")}</p>`;
    return html`${this.shown(printed)}${this.person ? this.about(this.person) : nothing}`;
  }

  about(player) {
    const body = html`<p><a href="/player/${player.id}">${t("person.profile")}</a></p><qx-person .player=${player} game=${this.game}></qx-person>`;
    return html`<qx-dialog label=${player.name} .body=${body} @close=${() => (this.person = null)}></qx-dialog>`;
  }

  shown(printed) {
    if (this.part === "open") return html`<qx-room .game=${this.model} .printed=${printed}></qx-room>`;
    if (this.part === "playing") return html`<qx-table .game=${this.model} .printed=${printed}></qx-table>`;
    return html`<qx-after .game=${this.model} .printed=${printed}></qx-after>`;
  }
}

define("qx-game", GameView);
