// Matchmaking: the form and the wait.

import { define, html, nothing } from "./element.js";
import { Printing } from "./part-prints.js";
import { queue } from "./queue.js";
import { named, t } from "./words.js";

class Match extends Printing {
  static properties = { ruleset: { state: true }, rated: { state: true } };
  #again = () => this.requestUpdate();

  connectedCallback() {
    queue.addEventListener("change", this.#again);
    return super.connectedCallback();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    queue.removeEventListener("change", this.#again);
  }

  render() {
    return queue.ticket ? this.waiting() : this.form();
  }

  waiting() {
    return html`<p role="status" aria-live="polite"><span class="spinner" aria-hidden="true"></span> ${t("match.waiting")}</p>
      ${queue.answer ? html`<p>${named("ruleset", queue.answer.ruleset)} · ${named("sheet_name", queue.answer.sheet)}</p>` : nothing}
      ${queue.answer?.detail ? html`<p class="muted">${queue.answer.detail}</p>` : nothing}
      <p class="muted">${t("match.elsewhere")}</p>
      <button type="button" @click=${() => queue.leave()}>${t("match.leave")}</button>`;
  }

  form() {
    const printed = this.printing(this.ruleset ?? this.printings?.[0].key);
    if (!printed) return html`<p class="loading">${t("app.loading")}</p>`;
    const [least, most] = printed.seats;
    return html`<form class="fields" @submit=${this.enter}>
      <label>${t("new.ruleset")}<select name="ruleset" @change=${(event) => (this.ruleset = event.target.value)}>
        ${this.printings.map((each) => html`<option value=${each.key}>${named("ruleset", each.key)}</option>`)}</select></label>
      <label>${t("new.sheet")}<select name="sheet">${printed.sheets.map((each) => html`<option value=${each.key}>${named("sheet_name", each.key)}</option>`)}</select></label>
      <label>${t("new.seats")}<select name="seats">${Array.from({ length: most - least + 1 }, (_, more) => html`<option>${least + more}</option>`)}</select></label>
      <label class="check"><input type="checkbox" name="rated" @change=${(event) => (this.rated = event.target.checked)}> ${t("new.rated")}</label>
      ${this.rated ? nothing : html`<label class="check"><input type="checkbox" name="bots" checked> ${t("match.bots")}</label>`}
      <button class="main" ?disabled=${this.busy}>${t("match.go")}</button>
    </form>`;
  }

  async enter(event) {
    event.preventDefault();
    const data = new FormData(event.target);
    const wish = { ruleset: data.get("ruleset"), sheet: data.get("sheet"), seats: Number(data.get("seats")), rated: data.has("rated") };
    if (data.has("bots")) wish.bots_after_s = 20;
    await this.attempt(() => queue.enter(wish));
  }
}

define("qx-match", Match);
