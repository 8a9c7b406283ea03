// The time that is left until a deadline, by the server's clock.

import { define, html, nothing, Part } from "./element.js";
import { icon } from "./pictures.js";
import { t } from "./words.js";

const HURRY_S = 10;

function spelled(seconds) {
  if (seconds >= 86_400) return t("clock.days", { n: Math.floor(seconds / 86_400) });
  if (seconds >= 3600) return t("clock.hours", { n: Math.floor(seconds / 3600) });
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

class Clock extends Part {
  static properties = { deadline: { type: String }, game: { attribute: false } };

  connectedCallback() {
    super.connectedCallback();
    this.timer = setInterval(() => this.requestUpdate(), 500);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  render() {
    if (!this.deadline) return nothing;
    const left = Math.max(0, Math.ceil((Date.parse(this.deadline) - this.game.now) / 1000));
    return html`<span class="clock" role="timer" ?data-hurry=${left <= HURRY_S}>${icon("clock")}<span class="hidden">${t("clock.left")}</span>${spelled(left)}</span>`;
  }
}

define("qx-clock", Clock);
