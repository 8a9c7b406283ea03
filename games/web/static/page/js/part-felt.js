// The place of the dice: what is asked, the dice with the sum that is in use, and the buttons. Its height never changes.

import { diceFor, sumOf } from "./dice-sums.js";
import { define, html, nothing, Part } from "./element.js";
import "./part-clock.js";
import "./part-dice.js";
import { shape } from "./pictures.js";
import { isMine, ON_SHEET, prompt } from "./prompt.js";
import { figure, named, t } from "./words.js";

const PLAIN = new Set(["pass", "reroll"]);
const same = (one, other) => Boolean(one && other) && ["type", "row", "number", "column"].every((name) => one[name] === other[name]);
const moment = ({ turn }) => `${turn?.roll} ${turn?.phase}`;

class Felt extends Part {
  static properties = {
    game: { attribute: false },
    printed: { attribute: false },
    sheet: { attribute: false },
    armed: { attribute: false },
    gain: { attribute: false },
    aimed: { attribute: false }, // the action that is touched or focused
    waits: { type: Boolean }, // an action is under way
    chosen: { state: true },
    cost: { state: true },
  };

  get view() {
    return this.game.view;
  }

  updated() {
    this.learnCost();
  }

  // What passing costs, as the server counts it.
  async learnCost() {
    const { view } = this;
    const pass = view.options.find(({ type }) => type === "pass");
    const now = moment(view);
    if (!pass || this.asked === now) return;
    this.asked = now;
    try {
      const { points } = await this.game.preview(pass);
      if (this.asked === now) this.cost = { now, points: points.after - points.before };
    } catch {
      this.cost = null;
    }
  }

  render() {
    const { view } = this;
    const used = this.usedDice();
    return html`<div class="felt" tabindex="-1" ?data-mine=${isMine(view)}>
      <div class="prompt"><p>${this.lockedIn()}${prompt(view, this.armed, this.gain)}</p>${this.clock()}</div>
      <qx-dice .dice=${view.turn.dice} .printed=${this.diceInGame()} .roll=${view.turn.roll} .chosen=${this.rolls().length > 1 ? this.picked() : null}
        .used=${used} @pick=${this.pick}></qx-dice>
      ${this.sum(used)}
      ${this.actions()}
    </div>`;
  }

  clock() {
    const { turn, clock } = this.view;
    if (turn.deadline_at) return html`<qx-clock .deadline=${turn.deadline_at} .game=${this.game}></qx-clock>`;
    return clock ? html`<span class="clock">${t("clock.paused")}</span>` : nothing;
  }

  // The sealed answer, readable beside the text.
  lockedIn() {
    const answer = this.view.your_answer;
    if (!answer?.row) return nothing;
    return html`<b class="locked-in" data-colour=${answer.row}>${shape(answer.row)} ${answer.number ?? sumOf(this.view.turn.dice)}</b> `;
  }

  // The action to explain by its dice: touched, to be confirmed, sealed, or the number that all may use.
  usedDice() {
    const { turn, your_answer: answer } = this.view;
    const action = this.aimed ?? this.armed ?? (ON_SHEET.has(answer?.type) ? answer : null);
    if (action) return diceFor(action, turn, this.coloursOf(action));
    return turn.phase === "colour" ? [] : diceFor({}, turn);
  }

  coloursOf({ row: key, number, column }) {
    const row = this.sheet.rows.find((each) => each.key === key);
    const cell = row?.cells.find((each) => (number === undefined ? each.column === column : each.number === number));
    return [cell?.colour, row?.lock].filter(Boolean);
  }

  sum(used) {
    if (used.length < 2) return html`<p class="sum"></p>`;
    return html`<p class="sum">${used.map(({ colour, face }, place) => html`${place ? " + " : ""}<span data-colour=${colour}>${face}</span>`)} = <b>${used.reduce((sum, { face }) => sum + face, 0)}</b></p>`;
  }

  // All dice but those of closed rows.
  diceInGame() {
    const gone = new Set(this.view.closed_rows.map((key) => this.sheet.rows.find((row) => row.key === key)?.lock));
    return this.printed.dice.filter((colour) => !gone.has(colour));
  }

  rolls() {
    return this.view.options.filter((option) => option.type === "roll" && option.dice);
  }

  picked() {
    return this.chosen ?? new Set(this.printed.dice);
  }

  pick({ detail: colour }) {
    const next = new Set(this.picked());
    if (!next.delete(colour)) next.add(colour);
    if (next.size) this.chosen = next;
  }

  actions() {
    const { view } = this;
    const plain = view.options.filter((option) => !ON_SHEET.has(option.type) && !(option.type === "roll" && option.dice));
    const away = view.you !== null && view.seats[view.you]?.state === "away";
    return html`<div class="actions">
      ${this.rolls().length ? html`<button type="button" class="main" data-action="roll" ?disabled=${this.waits} @click=${this.rollPicked}>${t("action.roll_dice", { n: this.picked().size })}</button>` : nothing}
      ${plain.map(
        (option) => html`<button type="button" class=${PLAIN.has(option.type) ? "" : "main"} data-action=${option.type} ?data-costs=${this.costs(option)} ?disabled=${this.waits}
          aria-pressed=${same(option, view.your_answer) ? "true" : nothing} @click=${() => this.act(option)}>${this.label(option)}</button>`,
      )}
      ${away ? html`<button type="button" class="main" @click=${() => this.act({ type: "return" })}>${t("action.return")}</button>` : nothing}
    </div>`;
  }

  costs(option) {
    return option.type === "pass" && this.cost?.now === moment(this.view) && this.cost.points < 0;
  }

  label(option) {
    return this.costs(option) ? t("action.pass_costs", { n: figure(this.cost.points).replace("-", "−") }) : named("action", option.type);
  }

  rollPicked() {
    const picked = this.picked();
    const option = this.rolls().find(({ dice }) => dice.length === picked.size && dice.every((colour) => picked.has(colour)));
    if (option) this.act(option);
  }

  act(action) {
    this.dispatchEvent(new CustomEvent("act", { detail: action }));
  }
}

define("qx-felt", Felt);
