// A game before its start: its seats, the invitations, and the button to start it.

import { define, html, nothing, Part } from "./element.js";
import { LEVELS } from "./levels.js";
import "./part-invite.js";
import { bubble } from "./part-phrases.js";
import "./part-share.js";
import { icon } from "./pictures.js";
import { go } from "./routes.js";
import { playerName } from "./event-sentences.js";
import { named, span, t } from "./words.js";

class Room extends Part {
  static properties = { game: { attribute: false }, printed: { attribute: false } };

  get view() {
    return this.game.view;
  }

  render() {
    const { view } = this;
    const seated = view.you !== null;
    const host = seated && view.host === view.you;
    const free = view.size - view.seats.length;
    return html`<div class="columns">
      <section class="card">
        <h1>${named("ruleset", view.ruleset)} <small class="muted">${named("sheet_name", view.sheet)}</small></h1>
        <p class="tags">${this.tags()}</p>
        <ul class="list">
          ${view.seats.map((seat) => this.seat(seat, host))}
          ${Array.from({ length: free }, () => html`<li class="muted">${icon("plus")}<span>${t("seat.free")}</span></li>`)}
        </ul>
        <p role="status" aria-live="polite">${free ? t("room.waiting", { n: free }) : t("room.seeds")}</p>
        <div class="actions">
          ${seated ? nothing : html`<button type="button" class="main" ?disabled=${this.busy} @click=${this.join}>${t("room.join")}</button>`}
          ${host ? html`<button type="button" class="main" ?disabled=${this.busy || view.seats.length < 2} @click=${() => this.attempt(() => this.game.command("start"))}>${t("room.start")}</button>` : nothing}
          ${seated ? html`<button type="button" ?disabled=${this.busy} @click=${this.leave}>${t("room.leave")}</button>` : nothing}
          <qx-phrases .game=${this.game}></qx-phrases>
        </div>
        ${host && free && !view.rated ? this.bots() : nothing}
      </section>
      ${seated && free ? html`<section class="card"><h2>${t("room.bring")}</h2><qx-share .code=${view.code}></qx-share>
        <qx-invite game=${view.id} .seated=${view.seats.map((seat) => seat.player?.id)}></qx-invite></section>` : nothing}
    </div>`;
  }

  tags() {
    const { view } = this;
    const clock = view.clock ? t("room.clock", { roll: span(view.clock.roll_s), answer: span(view.clock.answer_s) }) : t("new.clock_none");
    return [t(`new.${view.visibility}`), t(view.rated ? "new.rated_yes" : "new.rated_no"), clock].map((text) => html`<span class="tag">${text}</span>`);
  }

  seat(seat, host) {
    const mine = seat.seat === this.view.you;
    return html`<li>${icon(seat.player?.is_bot ? "bot" : "person")}<span>${playerName(seat.player)}${mine ? ` (${t("seat.you")})` : ""} ${bubble(this.game.spoken, seat.seat)}</span>
      ${seat.player?.id && !mine ? html`<button type="button" class="quiet" aria-label=${t("person.open", { who: seat.player.name })} @click=${() => this.dispatchEvent(new CustomEvent("person", { detail: seat.player, bubbles: true }))}>${icon("more")}</button>` : nothing}
      ${host && !mine
        ? html`<button type="button" class="quiet" aria-label=${t("room.free", { who: playerName(seat.player) })} @click=${() => this.attempt(() => this.game.freeSeat(seat.seat))}>${icon("close")}</button>`
        : nothing}
    </li>`;
  }

  bots() {
    return html`<form class="inline" @submit=${this.addBot}>
      <label>${t("new.bots")}
        <select name="level">${LEVELS.map((level) => html`<option value=${level}>${named("level", level)}</option>`)}</select>
      </label>
      <button ?disabled=${this.busy}>${t("room.add_bot")}</button>
    </form>`;
  }

  addBot(event) {
    event.preventDefault();
    const level = new FormData(event.target).get("level");
    this.attempt(() => this.game.command("bots", { level }));
  }

  join() {
    this.attempt(() => this.game.command("join", { late_seed: true }));
  }

  async leave() {
    if (await this.attempt(() => this.game.command("leave"))) go("/");
  }
}

define("qx-room", Room);
