// The form of a new game: ruleset, sheet, seats, clock, visibility, bots.

import { command, ensurePlayer, get } from "./api.js";
import { takeSeat } from "./client-seed.js";
import { define, html, nothing } from "./element.js";
import { Printing } from "./part-prints.js";
import "./part-sheet.js";
import { LEVELS } from "./levels.js";
import { go } from "./routes.js";
import { named, t } from "./words.js";

const CLOCKS = { live: { roll_s: 20, answer_s: 45 }, calm: { roll_s: 90, answer_s: 180 }, days: { roll_s: 86_400, answer_s: 172_800 }, none: null };

class New extends Printing {
  static properties = { ruleset: { state: true }, sheet: { state: true }, seats: { state: true }, visibility: { state: true }, invited: { state: true }, rated: { state: true } };

  constructor() {
    super();
    Object.assign(this, { seats: 2, visibility: "public", rated: false });
  }

  get heading() {
    return t("home.create");
  }

  // If the form was opened from a player's page, that player will be invited.
  async connectedCallback() {
    super.connectedCallback();
    const invited = new URLSearchParams(location.search).get("invite");
    if (!invited) return;
    this.visibility = "private";
    await ensurePlayer();
    this.invited = await get(`/players/${invited}`).catch(() => null);
  }

  // Selects the first ruleset that the server lists.
  willUpdate() {
    if (this.printings && !this.ruleset) this.chose("ruleset", this.printings[0].key);
  }

  render() {
    const printed = this.printing(this.ruleset);
    if (!printed) return html`<p class="loading">${t("app.loading")}</p>`;
    const [least, most] = printed.seats;
    return html`<form class="card narrow fields" @submit=${this.create}>
      <h1>${t("home.create")}</h1>
      ${this.invited ? html`<p>${t("new.invites", { who: this.invited.name })}</p>` : nothing}
      ${this.choice("ruleset", this.printings.map((each) => each.key), (key) => named("ruleset", key), this.ruleset)}
      ${printed.sheets.length > 1 ? this.choice("sheet", printed.sheets.map((each) => each.key), (key) => named("sheet_name", key), this.sheet) : nothing}
      ${this.preview(printed.sheets.find((each) => each.key === this.sheet))}
      ${this.choice("seats", Array.from({ length: most - least + 1 }, (_, more) => String(least + more)), (n) => n, String(this.seats))}
      ${this.choice("visibility", ["public", "private"], (key) => t(`new.${key}`), this.visibility)}
      <label>${t("new.clock")}<select name="clock">
        ${Object.keys(CLOCKS).filter((key) => key !== "none" || this.visibility === "private").map((key) => html`<option value=${key}>${t(`new.clock_${key}`)}</option>`)}
      </select></label>
      ${this.rated ? nothing : html`<fieldset><legend>${t("new.bots")}</legend>
        ${Array.from({ length: this.seats - 1 }, (_, seat) => html`<label><span class="hidden">${t("new.bot_seat", { n: seat + 2 })}</span><select name="bot">
          <option value="">${t("new.person")}</option>${LEVELS.map((level) => html`<option value=${level}>${t("seat.bot", { level: named("level", level) })}</option>`)}</select></label>`)}
      </fieldset>`}
      <label class="check"><input type="checkbox" name="rated" .checked=${this.rated} @change=${(event) => (this.rated = event.target.checked)}> ${t("new.rated")}</label>
      <button class="main" ?disabled=${this.busy}>${t("new.go")}</button>
    </form>`;
  }

  // The selected sheet, empty, with its extras explained.
  preview(sheet) {
    return html`<div class="preview"><qx-sheet .sheet=${sheet}></qx-sheet><a href="/rules/${this.ruleset}#${sheet.key}" target="_blank">${t("nav.rules")}</a></div>`;
  }

  choice(name, keys, label, chosen) {
    return html`<fieldset class="choice"><legend>${t(`new.${name}`)}</legend>
      ${keys.map((key) => html`<label><input type="radio" name=${name} value=${key} .checked=${key === chosen} @change=${() => this.chose(name, key)}><span>${label(key)}</span></label>`)}
    </fieldset>`;
  }

  chose(name, key) {
    this[name] = name === "seats" ? Number(key) : key;
    if (name !== "ruleset") return;
    const { sheets, seats: [least, most] } = this.printing(key);
    this.sheet = sheets[0].key;
    this.seats = Math.min(Math.max(this.seats, least), most);
  }

  async create(event) {
    event.preventDefault();
    const data = new FormData(event.target);
    const wish = {
      ruleset: this.ruleset,
      sheet: this.sheet,
      seats: this.seats,
      visibility: this.visibility,
      clock: CLOCKS[data.get("clock")],
      rated: data.has("rated"),
      bots: data.getAll("bot").filter(Boolean),
    };
    const game = await this.attempt(async () => {
      await ensurePlayer();
      const opened = await takeSeat("/games", wish);
      if (this.invited) await command(`/games/${opened.id}/invitations`, { player: this.invited.id });
      return opened;
    });
    if (game) go(`/game/${game.id}`);
  }
}

define("qx-new", New);
