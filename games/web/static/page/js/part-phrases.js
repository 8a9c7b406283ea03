// Quick phrases: a menu to send one, and the phrases that were just received.

import { command, get } from "./api.js";
import { define, errorText, html, nothing, Part, showMessage } from "./element.js";
import { icon } from "./pictures.js";
import { nameOf } from "./event-sentences.js";
import { language, t } from "./words.js";

const known = new Map(); // language → its phrases

// A phrase is shown in the language of the page, which may differ from `Accept-Language` of the stream.
function spelled({ key, text }) {
  return known.get(language())?.find((phrase) => phrase.key === key)?.text ?? text;
}

// The last phrase of this seat.
export function bubble(spoken, seat) {
  const phrase = spoken?.get(seat);
  return phrase ? html`<span class="bubble" aria-hidden="true">${spelled(phrase)}</span>` : nothing;
}

class Phrases extends Part {
  static properties = { game: { attribute: false } };
  #again = () => this.requestUpdate();

  connectedCallback() {
    super.connectedCallback();
    this.game.addEventListener("change", this.#again);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.game.removeEventListener("change", this.#again);
  }

  willUpdate() {
    if (this.spoken === language()) return;
    this.spoken = language();
    this.learn(this.spoken);
  }

  async learn(tag) {
    try {
      if (!known.has(tag)) known.set(tag, (await get("/phrases")).results);
      this.requestUpdate();
    } catch (error) {
      this.spoken = null;
      showMessage(errorText(error), "bad");
    }
  }

  render() {
    const [seat, spoken] = [...this.game.spoken].at(-1) ?? [];
    return html`<p class="hidden" aria-live="polite">${spoken ? t("phrases.said", { who: nameOf(this.game.view, seat), text: spelled(spoken) }) : ""}</p>
      ${this.game.view.you === null ? nothing : this.menu()}`;
  }

  menu() {
    return html`<button type="button" class="quiet" popovertarget="phrases" aria-label=${t("phrases.title")} title=${t("phrases.title")}>${icon("speech")}</button>
      <div id="phrases" class="phrases" popover role="group" aria-label=${t("phrases.title")}>
        ${(known.get(language()) ?? []).map(({ key, text }) => html`<button type="button" @click=${() => this.say(key)}>${text}</button>`)}
      </div>`;
  }

  say(key) {
    this.querySelector("#phrases").hidePopover();
    return this.attempt(() => command(`/games/${this.game.id}/phrases`, { key }));
  }
}

define("qx-phrases", Phrases);
