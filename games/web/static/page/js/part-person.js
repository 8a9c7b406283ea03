// Actions on another player: mute, block, report. The other player is not notified.

import { call, command, get } from "./api.js";
import { define, errorText, html, nothing, Part, showMessage } from "./element.js";
import { t } from "./words.js";

const REASONS = ["cheating", "abuse", "name", "deserting", "other"];
const LISTS = ["mutes", "blocks"];

class Person extends Part {
  static properties = { player: { attribute: false }, game: { type: String }, listed: { state: true }, reporting: { state: true } };

  async connectedCallback() {
    super.connectedCallback();
    try {
      const found = await Promise.all(LISTS.map((list) => get(`/players/me/${list}`)));
      this.listed = Object.fromEntries(LISTS.map((list, place) => [list, found[place].results.some((each) => each.id === this.player.id)]));
    } catch (error) {
      showMessage(errorText(error), "bad");
    }
  }

  render() {
    if (!this.listed) return html`<p class="loading">${t("app.loading")}</p>`;
    return html`<div class="actions">
        ${LISTS.map((list) => html`<button type="button" data-list=${list} ?disabled=${this.busy} aria-pressed=${String(this.listed[list])} @click=${() => this.flip(list)}>${t(this.listed[list] ? `person.${list}_lift` : `person.${list}`)}</button>`)}
        <button type="button" aria-expanded=${String(Boolean(this.reporting))} @click=${() => (this.reporting = !this.reporting)}>${t("person.report")}</button>
      </div>
      <p class="muted">${t("person.about")}</p>
      ${this.reporting ? this.form() : nothing}`;
  }

  form() {
    return html`<form class="fields report" @submit=${this.report}>
      <label>${t("report.reason")}<select name="reason">${REASONS.map((reason) => html`<option value=${reason}>${t(`report.${reason}`)}</option>`)}</select></label>
      <label>${t("report.text")}<textarea name="text" maxlength="500" rows="3"></textarea></label>
      <button class="main" ?disabled=${this.busy}>${t("report.send")}</button>
    </form>`;
  }

  flip(list) {
    const listed = !this.listed[list];
    return this.attempt(async () => {
      await call(listed ? "PUT" : "DELETE", `/players/me/${list}/${this.player.id}`);
      this.listed = { ...this.listed, [list]: listed };
      showMessage(t(`person.${list}_${listed ? "done" : "undone"}`, { who: this.player.name }));
    });
  }

  report(event) {
    event.preventDefault();
    const body = { ...Object.fromEntries(new FormData(event.target)), ...(this.game ? { game: this.game } : {}) };
    return this.attempt(async () => {
      await command(`/players/${this.player.id}/reports`, body);
      this.reporting = false;
      showMessage(t("report.sent"));
    });
  }
}

define("qx-person", Person);
