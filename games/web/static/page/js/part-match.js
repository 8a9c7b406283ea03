// Matchmaking: the form, the wait, and the redirect to the game when a match is found.

import { call, command, ensurePlayer, get, Unreachable } from "./api.js";
import { define, errorText, html, nothing, showMessage } from "./element.js";
import { Printing } from "./part-prints.js";
import { go } from "./routes.js";
import { named, t } from "./words.js";

const REFRESH_EVERY_MS = 1500;
const KEPT = "qx.ticket"; // stored for this tab, so that a reload keeps the ticket

class Match extends Printing {
  static properties = { ticket: { state: true }, answer: { state: true }, ruleset: { state: true }, wish: { state: true }, rated: { state: true } };
  #receive = ({ detail }) => detail.type === "match_found" && detail.ticket === this.ticket && this.follow(detail);

  connectedCallback() {
    addEventListener("qx-me", this.#receive);
    this.ticket = sessionStorage.getItem(KEPT);
    if (this.ticket) this.refresh();
    return super.connectedCallback();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("qx-me", this.#receive);
    clearTimeout(this.timer);
    if (this.ticket) this.leave();
  }

  updated(changed) {
    if (!changed.has("ticket")) return;
    if (this.ticket) sessionStorage.setItem(KEPT, this.ticket);
    else sessionStorage.removeItem(KEPT);
  }

  render() {
    return this.ticket ? this.waiting() : this.form();
  }

  waiting() {
    return html`<p role="status" aria-live="polite"><span class="spinner" aria-hidden="true"></span> ${t("match.waiting")}</p>
      ${this.wish ? html`<p>${named("ruleset", this.wish.ruleset)} · ${named("sheet_name", this.wish.sheet)}</p>` : nothing}
      ${this.answer?.detail ? html`<p class="muted">${this.answer.detail}</p>` : nothing}
      <button type="button" @click=${this.leave}>${t("match.leave")}</button>`;
  }

  form() {
    const printed = this.printing(this.ruleset ?? this.printings?.[0].key);
    if (!printed) return html`<p class="loading">${t("app.loading")}</p>`;
    const [least, most] = printed.seats;
    return html`<form class="fields" @submit=${this.enter}>
      <label>${t("new.ruleset")}<select name="ruleset" @change=${(event) => (this.ruleset = event.target.value)}>
        ${this.printings.map((each) => html`<option value=${each.key}>${named("ruleset", each.key)}</option>`)}</select></label>
      <label>${t("new.sheet")}<select name="sheet">${printed.sheets.map((each) => html`<option value=${each.key}>${named("sheet_name", each.key)}</option>`)}</select></label>
      <label>${t("new.seats")}<select name="seats">${Array.from({ length: most - least + 1 }, (_, more) => html`<option>${least + more}</option>`)}</select></label>
      <label class="check"><input type="checkbox" name="rated" @change=${(event) => (this.rated = event.target.checked)}> ${t("new.rated")}</label>
      ${this.rated ? nothing : html`<label class="check"><input type="checkbox" name="bots" checked> ${t("match.bots")}</label>`}
      <button class="main" ?disabled=${this.busy}>${t("match.go")}</button>
    </form>`;
  }

  async enter(event) {
    event.preventDefault();
    const data = new FormData(event.target);
    const wish = { ruleset: data.get("ruleset"), sheet: data.get("sheet"), seats: Number(data.get("seats")), rated: data.has("rated") };
    if (data.has("bots")) wish.bots_after_s = 20;
    const answer = await this.attempt(async () => {
      await ensurePlayer();
      return this.queued(wish);
    });
    if (!answer) return;
    this.ticket = answer.ticket;
    this.wish = wish;
    this.follow(answer);
  }

  // A player who is already queued, in another tab or before a reload, keeps that ticket.
  async queued(wish) {
    try {
      return await command("/matchmaking", { ...wish, late_seed: true });
    } catch (error) {
      if (error.code !== "already_queued") throw error;
      return get(`/matchmaking/${error.problem.ticket}`);
    }
  }

  follow(answer) {
    this.answer = answer;
    const { game } = answer;
    if (game) {
      clearTimeout(this.timer);
      this.ticket = null;
      return go(`/game/${game}`);
    }
    if (answer.status !== "queued") return void (this.ticket = null);
    this.timer = setTimeout(() => this.refresh(), REFRESH_EVERY_MS);
    return undefined;
  }

  async refresh() {
    const { ticket } = this;
    try {
      const answer = await get(`/matchmaking/${ticket}`);
      if (ticket === this.ticket) this.follow(answer);
    } catch (error) {
      showMessage(errorText(error), "bad");
      if (error instanceof Unreachable) this.timer = setTimeout(() => this.refresh(), REFRESH_EVERY_MS);
      else this.ticket = null;
    }
  }

  async leave() {
    clearTimeout(this.timer);
    const { ticket } = this;
    this.ticket = null;
    try {
      const { game } = await call("DELETE", `/matchmaking/${ticket}`);
      if (game && this.isConnected) go(`/game/${game}`); // a match was found at the same moment
    } catch {
      // a ticket that no client reads expires
    }
  }
}

define("qx-match", Match);
