// The base class of all parts: a lit element without shadow DOM, rendered again when texts or settings change.

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

  // Runs an action that the server may refuse, and shows the refusal. A second action is ignored while one is running.
  async attempt(work) {
    if (this.busy) return undefined;
    this.busy = true;
    this.requestUpdate();
    try {
      return await work();
    } catch (error) {
      showMessage(errorText(error), "bad");
      return undefined;
    } finally {
      this.busy = false;
      this.requestUpdate();
    }
  }
}

export function errorText(error) {
  if (error instanceof Unreachable) return t("error.unreachable");
  if (error.code === "not_authenticated") return t("error.signed_out"); // the server's text is written for programs
  return error.words ?? error.message;
}

// A short message at the edge of the screen, and for screen readers.
export function showMessage(text, mood = "good") {
  dispatchEvent(new CustomEvent("qx-message", { detail: { text, mood } }));
}

export function define(name, kind) {
  if (!customElements.get(name)) customElements.define(name, kind);
}
