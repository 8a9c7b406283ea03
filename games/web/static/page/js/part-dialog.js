// A modal dialog: opens when it is rendered, closes with Escape, its button or a tap outside. Knows no content.

import { define, html, Part } from "./element.js";
import { icon } from "./pictures.js";
import { t } from "./words.js";

class Dialog extends Part {
  static properties = { label: { type: String }, body: { attribute: false } };

  firstUpdated() {
    this.dialog.showModal();
  }

  get dialog() {
    return this.querySelector("dialog");
  }

  render() {
    return html`<dialog aria-label=${this.label} @close=${() => this.dispatchEvent(new Event("close"))} @click=${(event) => event.target === this.dialog && this.dialog.close()}>
      <header><h2>${this.label}</h2><button type="button" class="quiet" aria-label=${t("app.close")} @click=${() => this.dialog.close()}>${icon("close")}</button></header>
      ${this.body}
    </dialog>`;
  }
}

define("qx-dialog", Dialog);
