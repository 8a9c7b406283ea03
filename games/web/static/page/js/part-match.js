// The queue: says what one would like to play, waits, and goes to the table when somebody was found.

import { call, command, get } from "./api.js";
import { define, html, nothing, said, tell } from "./element.js";
import { Printing } from "./part-prints.js";
import { go } from "./routes.js";
import { named, t } from "./words.js";

const LOOK_EVERY_MS = 1500;

class Match extends Printing {
  static properties = { ticket: { state: true }, answer: { state: true }, ruleset: { state: true } };

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.timer);
    if (this.ticket) this.leave();
  }

  render() {
    return this.ticket ? this.waiting() : this.form();
  }

  waiting() {
    return html`<p role="status" aria-live="polite"><span class="spinner" aria-hidden="true"></span> ${t("match.waiting")}</p>
      ${this.answer?.detail ? html`<p class="muted">${this.answer.detail}</p>` : nothing}
      <button type="button" @click=${this.leave}>${t("match.leave")}</button>`;
  }

  form() {
    const printed = this.printing(this.ruleset ?? "qwixx");
    if (!printed) return html`<p class="loading">${t("app.loading")}</p>`;
    const [least, most] = printed.seats;
    return html`<form class="fields" @submit=${this.enter}>
      <label>${t("new.ruleset")}<select name="ruleset" @change=${(event) => (this.ruleset = event.target.value)}>
        ${this.printings.map((each) => html`<option value=${each.key}>${named("ruleset", each.key)}</option>`)}</select></label>
      <label>${t("new.sheet")}<select name="sheet">${printed.sheets.map((each) => html`<option value=${each.key}>${named("sheet_name", each.key)}</option>`)}</select></label>
      <label>${t("new.seats")}<select name="seats">${Array.from({ length: most - least + 1 }, (_, more) => html`<option>${least + more}</option>`)}</select></label>
      <label class="check"><input type="checkbox" name="rated"> ${t("new.rated")}</label>
      <label class="check"><input type="checkbox" name="bots" checked> ${t("match.bots")}</label>
      <button class="main" ?disabled=${this.busy}>${t("match.go")}</button>
    </form>`;
  }

  async enter(event) {
    event.preventDefault();
    const data = new FormData(event.target);
    const wish = { ruleset: data.get("ruleset"), sheet: data.get("sheet"), seats: Number(data.get("seats")), rated: data.has("rated") };
    if (data.has("bots") && !wish.rated) wish.bots_after_s = 20;
    const answer = await this.attempt(() => command("/matchmaking", wish));
    if (!answer) return;
    this.ticket = answer.ticket;
    this.follow(answer);
  }

  follow(answer) {
    this.answer = answer;
    const { game } = answer;
    if (game) {
      this.ticket = null;
      return go(`/game/${game}`);
    }
    if (answer.status !== "queued") return void (this.ticket = null);
    this.timer = setTimeout(() => this.look(), LOOK_EVERY_MS);
    return undefined;
  }

  async look() {
    try {
      this.follow(await get(`/matchmaking/${this.ticket}`));
    } catch (error) {
      tell(said(error), "bad");
      this.ticket = null;
    }
  }

  async leave() {
    clearTimeout(this.timer);
    const { ticket } = this;
    this.ticket = null;
    try {
      await call("DELETE", `/matchmaking/${ticket}`);
    } catch {
      // a ticket that nobody looks at ends by itself
    }
  }
}

define("qx-match", Match);
