// The seats of a game: whose turn it is, which seats the game waits for, which have answered, and their points.

import { define, html, nothing, Part } from "./element.js";
import { bubble } from "./part-phrases.js";
import { face, icon } from "./pictures.js";
import { nameOf } from "./event-sentences.js";
import { named, t } from "./words.js";

const TOGETHER = new Set(["white", "write"]);

class Seats extends Part {
  static properties = { view: { attribute: false }, spoken: { attribute: false } };

  // The state to show beside a seat; null: none.
  state(seat) {
    const { turn } = this.view;
    if (seat.state !== "playing") return seat.state;
    if (!turn) return null;
    if (turn.waiting_for.includes(seat.seat)) return turn.phase === "roll" ? "rolling" : "choosing";
    return TOGETHER.has(turn.phase) ? "ready" : null;
  }

  render() {
    const { view } = this;
    return html`<ul class="seats">${view.seats.map((seat) => this.seat(seat))}</ul>`;
  }

  seat(seat) {
    const { view } = this;
    const state = this.state(seat);
    const total = view.sheets.find((sheet) => sheet.seat === seat.seat)?.points.total;
    const active = view.turn?.active === seat.seat;
    return html`<li class="seat" ?data-active=${active} ?data-you=${seat.seat === view.you} data-state=${state ?? nothing}>
      ${seat.player?.is_bot ? face(seat.player.name) : icon("person")}
      <span class="name">${nameOf(view, seat.seat)}</span>
      <b class="total">${total ?? ""}<span class="hidden">${t("points.total")}</span></b>
      <small>${seat.player?.level ? html`<span class="level">${named("level", seat.player.level)}</span>` : nothing}${active && state !== "rolling" ? html`<span class="on-turn">${t("seat.active")}</span>` : nothing}
        ${state ? html`<span class="state">${state === "ready" ? icon("check") : nothing}${t(`seat.${state}`)}</span>` : nothing}</small>
      ${bubble(this.spoken, seat.seat)}
      ${seat.player?.id && seat.seat !== view.you ? this.opener(seat.player) : nothing}
    </li>`;
  }

  opener(player) {
    return html`<button type="button" class="over" aria-label=${t("person.open", { who: player.name })}
      @click=${() => this.dispatchEvent(new CustomEvent("person", { detail: player, bubbles: true }))}></button>`;
  }
}

define("qx-seats", Seats);
