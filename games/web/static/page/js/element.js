// What every part of the page is: a lit element in the plain document, drawn again when texts or settings change.

import { LitElement } from "lit";
import { session, Unreachable } from "./api.js";
import { settings } from "./settings.js";
import { t, words } from "./words.js";

export { html, nothing, svg } from "lit";

export class Part extends LitElement {
  #again = () => this.requestUpdate();

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    for (const source of [words, settings, session]) source.addEventListener("change", this.#again);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    for (const source of [words, settings, session]) source.removeEventListener("change", this.#again);
  }

  // Does something that may be refused; a refusal is told in words, and nothing is done twice at once.
  async attempt(work) {
    if (this.busy) return undefined;
    this.busy = true;
    this.requestUpdate();
    try {
      return await work();
    } catch (error) {
      tell(said(error), "bad");
      return undefined;
    } finally {
      this.busy = false;
      this.requestUpdate();
    }
  }
}

export function said(error) {
  if (error instanceof Unreachable) return t("error.unreachable");
  if (error.code === "not_authenticated") return t("error.signed_out"); // what the server says of it is meant for programs
  return error.words ?? error.message;
}

// A short message at the edge of the screen, and for screen readers.
export function tell(text, mood = "good") {
  dispatchEvent(new CustomEvent("qx-tell", { detail: { text, mood } }));
}

export function define(name, kind) {
  if (!customElements.get(name)) customElements.define(name, kind);
}
