// The credentials of an account: its mail address, confirmed or not, and its password.

import { command } from "./api.js";
import { define, html, Part, showMessage } from "./element.js";
import { icon } from "./pictures.js";
import { t } from "./words.js";

class Credentials extends Part {
  static properties = { me: { attribute: false } };

  render() {
    return html`<section class="card">
      <h2>${t("account.entry")}</h2>
      <p class="address">${this.me.email}</p>
      ${this.me.email_confirmed
        ? html`<p class="verdict" data-mood="good">${icon("check")} ${t("account.confirmed")}</p>`
        : html`<p>${t("account.unconfirmed")}</p><button type="button" ?disabled=${this.busy} @click=${this.mail}>${t("account.confirm_send")}</button>`}
      <h3>${t("account.password_new")}</h3>
      <form class="fields" @submit=${this.change}>
        <label>${t("account.password_old")}<input name="old" type="password" required autocomplete="current-password"></label>
        <label>${t("account.password_new")}<input name="new" type="password" required autocomplete="new-password"></label>
        <button ?disabled=${this.busy}>${t("account.password_save")}</button>
      </form>
      <p class="muted">${t("account.password_text")}</p>
    </section>`;
  }

  mail() {
    return this.attempt(async () => {
      await command("/players/me/confirmation");
      showMessage(t("account.confirm_sent"));
    });
  }

  change(event) {
    event.preventDefault();
    const form = event.target;
    const data = new FormData(form);
    return this.attempt(async () => {
      await command("/players/me/password", { old: data.get("old"), new: data.get("new") });
      form.reset();
      showMessage(t("account.password_saved"));
      this.dispatchEvent(new Event("change"));
    });
  }
}

define("qx-credentials", Credentials);
