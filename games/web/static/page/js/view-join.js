// The target of a link with a code: joins its game.

import { ensurePlayer } from "./api.js";
import { takeSeat } from "./client-seed.js";
import { define, errorText, html, nothing, Part } from "./element.js";
import { go } from "./routes.js";
import { t } from "./words.js";

class Join extends Part {
  static properties = { code: { type: String }, failure: { state: true } };

  get heading() {
    return t("join.title");
  }

  connectedCallback() {
    super.connectedCallback();
    this.join();
  }

  async join() {
    try {
      await ensurePlayer();
      const game = await takeSeat("/games/join", { code: this.code.toUpperCase() });
      go(`/game/${game.id}`, { replace: true });
    } catch (error) {
      this.failure = errorText(error);
    }
  }

  again(event) {
    event.preventDefault();
    go(`/join/${new FormData(event.target).get("code").toUpperCase().replace(/[^0-9A-Z]/g, "") || "-"}`, { replace: true });
  }

  render() {
    return html`<section class="card narrow"><h1>${t("join.title")}</h1>
      <p role="status">${this.failure ?? t("app.loading")}</p>
      ${this.failure ? html`<form class="inline" @submit=${this.again}>
        <label>${t("share.code")}<input name="code" required maxlength="12" autocapitalize="characters" autocomplete="off" spellcheck="false"></label>
        <button class="main">${t("join.go")}</button></form>` : nothing}
      <div class="actions"><a class="button" href="/">${t("nav.home")}</a> <a class="button" href="/lobby">${t("nav.lobby")}</a></div>
    </section>`;
  }
}

define("qx-join", Join);
