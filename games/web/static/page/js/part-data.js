// The player's stored data: download it, or delete it with the account.

import { call, get, session } from "./api.js";
import { define, html, nothing, Part, showMessage } from "./element.js";
import { go } from "./routes.js";
import { t } from "./words.js";

class Data extends Part {
  static properties = { leaving: { state: true } };

  render() {
    return html`<h2>${t("data.title")}</h2>
      <p class="muted">${t("data.about")}</p>
      <div class="actions">
        <button type="button" ?disabled=${this.busy} @click=${this.take}>${t("data.export")}</button>
        <button type="button" ?disabled=${this.busy} aria-expanded=${String(Boolean(this.leaving))} @click=${() => (this.leaving = !this.leaving)}>${t("data.delete")}</button>
      </div>
      ${this.leaving
        ? html`<div class="ask" role="alertdialog" aria-label=${t("data.delete")}>
            <p>${t("data.delete_sure")}</p>
            <button type="button" class="danger" ?disabled=${this.busy} @click=${this.erase}>${t("data.delete_go")}</button>
            <button type="button" @click=${() => (this.leaving = false)}>${t("data.keep")}</button>
          </div>`
        : nothing}`;
  }

  take() {
    return this.attempt(async () => {
      const all = JSON.stringify(await get("/players/me/export"), null, 1);
      const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(new Blob([all], { type: "application/json" })), download: "qwixx-service.json" });
      link.click();
      URL.revokeObjectURL(link.href);
    });
  }

  erase() {
    return this.attempt(async () => {
      await call("DELETE", "/players/me");
      session.end();
      showMessage(t("data.deleted"));
      go("/");
    });
  }
}

define("qx-data", Data);
