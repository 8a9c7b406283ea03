// A tutorial: a scripted game on the real table, one step explained at a time.

import { startBotGame } from "./bot-game.js";
import { define, html, nothing } from "./element.js";
import { Printing } from "./part-prints.js";
import "./part-table.js";
import { go } from "./routes.js";
import { ScriptedGame } from "./scripted-game.js";
import { has, named, t } from "./words.js";

const LESSONS = fetch(new URL("../tutorials.json", import.meta.url)).then((answer) => answer.json());
const BOT = "Bot Olga";

class Learn extends Printing {
  static properties = { ruleset: { type: String } };

  get heading() {
    return t("learn.title", { game: named("ruleset", this.ruleset) });
  }

  async connectedCallback() {
    super.connectedCallback();
    const steps = (await LESSONS)[this.ruleset];
    if (!steps) return go("/rules", { replace: true });
    const names = { ruleset: this.ruleset, sheet: "classic", you: t("seat.you"), bot: BOT };
    this.model = new ScriptedGame(steps, names, () => t("learn.other"));
    this.model.addEventListener("change", () => this.changed());
    this.requestUpdate();
    return undefined;
  }

  changed() {
    this.requestUpdate();
    this.querySelector("qx-table")?.requestUpdate();
  }

  render() {
    const printed = this.printing(this.ruleset);
    if (!printed || !this.model) return html`<p class="loading">${t("app.loading")}</p>`;
    return html`${this.card()}${this.model.isOver ? nothing : html`<qx-table .game=${this.model} .printed=${printed}></qx-table>`}`;
  }

  card() {
    const { place, steps, isOver } = this.model;
    const text = `learn.${this.ruleset}.${isOver ? "end" : place + 1}`;
    return html`<section class="card lesson" ?data-over=${isOver}>
      <header class="split"><h1>${this.heading}</h1><small class="muted">${t("replay.at", { n: Math.min(place + 1, steps.length), of: steps.length })}</small></header>
      <p role="status" aria-live="polite">${has(text) ? t(text) : ""}</p>
      <div class="actions">
        ${isOver ? html`<button type="button" class="main" ?disabled=${this.busy} @click=${() => this.attempt(() => startBotGame(this.ruleset))}>${t("learn.play")}</button>` : nothing}
        ${place ? html`<button type="button" @click=${() => this.model.back()}>${t("learn.back")}</button>` : nothing}
        <a class="button quiet" href="/rules/${this.ruleset}">${t("nav.rules")}</a>
      </div>
    </section>`;
  }
}

define("qx-learn", Learn);
