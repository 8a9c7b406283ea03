// The rules of all games and their sheets, with sheets and dice drawn as in a game.

import { startBotGame } from "./bot-game.js";
import { define, html, nothing, showMessage } from "./element.js";
import { bringBack } from "./part-coach.js";
import "./part-dice.js";
import { Printing } from "./part-prints.js";
import { scale } from "./part-sheet.js";
import { chapter, language, named, t } from "./words.js";

// The pictures of the chapters: sheets and dice.
const PICTURES = {
  qwixx_dice: { dice: { white: [3, 5], red: [2], yellow: [6], green: [4], blue: [1] } },
  qwixx_marks: { pad: { rows: { red: [2, 4, 8], yellow: [3], green: [12, 11, 9], blue: [] }, locks: [], penalties: 0, points: { red: 6, yellow: 1, green: 6, blue: 0, penalties: 0, total: 13 } } },
  qwixx_lock: { pad: { rows: { red: [2, 3, 4, 6, 9, 12], yellow: [3, 5], green: [11, 8], blue: [12, 10, 9] }, locks: ["red"], penalties: 1, points: { red: 28, yellow: 3, green: 3, blue: 6, penalties: -5, total: 35 } }, closed: ["red"] },
  qwinto_dice: { dice: { orange: [4], purple: [5] } },
  qwinto_rows: { pad: { rows: { orange: { 3: 5, 7: 11 }, yellow: { 2: 4, 8: 12 }, purple: { 0: 1, 3: 7 } }, fails: 0, points: { orange: 2, yellow: 2, purple: 2, bonus: 0, fails: 0, total: 6 } } },
  qwinto_bonus: { pad: { rows: { orange: { 2: 4, 3: 6, 7: 11 }, yellow: { 1: 2, 2: 5, 3: 8 }, purple: { 1: 1, 2: 3, 3: 9 } }, fails: 1, points: { orange: 3, yellow: 3, purple: 3, bonus: 9, fails: -5, total: 13 } } },
};

// Sheets as they look during a game: sheet → the marks of a seat.
const EXAMPLES = fetch(new URL("../examples.json", import.meta.url)).then((answer) => answer.json());

class Rules extends Printing {
  static properties = { ruleset: { type: String }, text: { state: true }, examples: { state: true } };

  get heading() {
    return this.ruleset ? named("ruleset", this.ruleset) : t("nav.rules");
  }

  willUpdate() {
    if (this.spoken === language()) return;
    this.spoken = language();
    chapter("rules").then((text) => (this.text = text));
    EXAMPLES.then((examples) => (this.examples = examples));
  }

  // Scrolls to the sheet that the address names, once it is drawn.
  async updated() {
    const named = document.getElementById(location.hash.slice(1));
    if (!named || !this.printings || !this.examples || this.scrolled === location.hash) return;
    this.scrolled = location.hash;
    await Promise.all([...this.querySelectorAll("qx-sheet")].map((sheet) => sheet.updateComplete));
    named.scrollIntoView();
  }

  render() {
    if (!this.text) return html`<p class="loading">${t("app.loading")}</p>`;
    const shown = this.ruleset ? [this.ruleset] : Object.keys(this.text);
    return html`<h1>${t("nav.rules")}</h1>
      <nav class="tabs" aria-label=${t("nav.rules")}>${Object.keys(this.text).map((key) => html`<a class="button" href="/rules/${key}" aria-current=${this.ruleset === key ? "page" : nothing}>${named("ruleset", key)}</a>`)}</nav>
      ${shown.filter((key) => this.text[key]).map((key) => this.chapter(key))}`;
  }

  chapter(key) {
    const sheets = this.text[key].filter(({ sheet }) => sheet);
    return html`<article class="card rules"><h2>${named("ruleset", key)}</h2>
      <p class="actions"><a class="button main" href="/learn/${key}">${t("learn.title", { game: named("ruleset", key) })}</a>
        <button type="button" @click=${() => this.showTips(key)}>${t("coach.again")}</button></p>
      ${sheets.length ? html`<nav class="tabs" aria-label=${t("new.sheet")}>${sheets.map(({ sheet, title }) => html`<a class="button" href="/rules/${key}#${sheet}">${title}</a>`)}</nav>` : nothing}
      ${this.text[key].map(
        ({ title, text, picture, sheet }) => html`<section id=${sheet ?? nothing}><h3>${title}</h3>${text.map((each) => html`<p>${each}</p>`)}
          ${sheet ? this.example(key, sheet) : this.picture(key, picture)}</section>`,
      )}
    </article>`;
  }

  showTips(key) {
    bringBack(key);
    showMessage(t("coach.back"));
  }

  // A sheet as it looks during a game, and a button that starts a game on it.
  example(key, name) {
    const sheet = this.printing(key)?.sheets.find((each) => each.key === name);
    if (!sheet || !this.examples) return nothing;
    return html`<qx-sheet .sheet=${sheet} .pad=${this.examples[name]} .closed=${[]}></qx-sheet>
      <p><button type="button" ?disabled=${this.busy} @click=${() => this.attempt(() => startBotGame(key, name))}>${t("rules.play")}</button></p>`;
  }

  picture(key, name) {
    const drawn = PICTURES[name];
    if (!drawn && name !== "scale") return nothing;
    if (drawn?.dice) return html`<qx-dice .dice=${drawn.dice} .roll=${0}></qx-dice>`;
    const printed = this.printing(key)?.sheets[0];
    if (name === "scale") return printed ? scale(printed) : nothing;
    return printed ? html`<qx-sheet .sheet=${printed} .pad=${drawn.pad} .closed=${drawn.closed ?? []}></qx-sheet>` : nothing;
  }
}

define("qx-rules", Rules);
