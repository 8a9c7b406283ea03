// The dice: a new roll is animated, and dice can be selected where the game allows it. Decides nothing.

import { define, html, Part } from "./element.js";
import { die, icon } from "./pictures.js";
import { diceInWords } from "./event-sentences.js";
import { named, t } from "./words.js";

const TUMBLE_MS = 700;

class Dice extends Part {
  static properties = {
    dice: { attribute: false },
    printed: { attribute: false }, // all dice of the game, drawn before the first roll
    roll: { type: Number },
    chosen: { attribute: false },
    used: { attribute: false }, // the dice that are in use
    tumbling: { state: true },
  };

  willUpdate(changed) {
    const before = changed.get("roll");
    if (changed.has("roll") && before !== undefined && this.dice) this.tumble();
  }

  tumble() {
    clearTimeout(this.timer);
    this.tumbling = true;
    this.timer = setTimeout(() => (this.tumbling = false), TUMBLE_MS);
  }

  render() {
    if (this.chosen) return this.picker();
    const lying = this.dice ? Object.entries(this.dice).flatMap(([colour, faces]) => [faces].flat().map((face, place) => [colour, face, `${colour}${place}`])) : [];
    const used = new Set(this.used?.map(({ id }) => id));
    const shown = lying.length ? lying : (this.printed ?? []).map((colour) => [colour, 0]);
    const label = this.dice ? diceInWords(this.dice) : t("dice.unrolled");
    return html`<div class="dice" role="img" aria-label=${label} ?data-tumbling=${this.tumbling} ?data-idle=${!this.dice}>
      ${shown.map(([colour, face, id]) => die(colour, face, used.has(id)))}
    </div>`;
  }

  picker() {
    return html`<div class="dice" role="group" aria-label=${t("dice.choose")}>
      ${this.printed.map(
        (colour) => html`<button type="button" class="pick" aria-pressed=${String(this.chosen.has(colour))} aria-label=${named("colour", colour)}
          @click=${() => this.dispatchEvent(new CustomEvent("pick", { detail: colour }))}>${die(colour, 0)}${icon(this.chosen.has(colour) ? "check" : "plus")}</button>`,
      )}
    </div>`;
  }
}

define("qx-dice", Dice);
