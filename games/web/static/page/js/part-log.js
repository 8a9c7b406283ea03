// What happened, in words, the newest turn first.

import { define, html, nothing, Part } from "./element.js";
import { eventSentence, nameOf } from "./event-sentences.js";
import { turnsOf } from "./history.js";
import { t } from "./words.js";

const SHOWN = 30; // turns
const UNWORTHY = new Set(["answer_sealed", "seat_taken"]); // of a line; the seats show it

class Log extends Part {
  static properties = { view: { attribute: false }, events: { attribute: false } };

  render() {
    const turns = turnsOf(this.events ?? []).slice(-SHOWN).reverse();
    return html`<section class="news" aria-label=${t("table.news")} tabindex="0">
      <h2>${t("table.news")}</h2>
      ${turns.map((turn) => this.turn(turn))}
    </section>`;
  }

  turn({ number, seat, events }) {
    const lines = events.filter(({ type }) => !UNWORTHY.has(type)).map((event) => eventSentence(this.view, event)).filter(Boolean);
    if (!number && !lines.length) return nothing;
    return html`${number ? html`<h3>${t("log.turn", { n: number, who: nameOf(this.view, seat) })}</h3>` : nothing}
      <ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
  }
}

define("qx-log", Log);
