// The players that this player has muted or blocked, each with a button to undo it.

import { call, get, session } from "./api.js";
import { define, errorText, html, Part, showMessage } from "./element.js";
import { t } from "./words.js";

const LISTS = ["blocks", "mutes"];

class People extends Part {
  static properties = { lists: { state: true } };

  connectedCallback() {
    super.connectedCallback();
    if (session.token) this.refresh();
  }

  async refresh() {
    try {
      const found = await Promise.all(LISTS.map((list) => get(`/players/me/${list}`)));
      this.lists = Object.fromEntries(LISTS.map((list, place) => [list, found[place].results]));
    } catch (error) {
      showMessage(errorText(error), "bad");
    }
  }

  render() {
    return LISTS.map((list) => html`<section data-list=${list}>
      <h2>${t(`people.${list}`)}</h2>
      ${this.lists?.[list].length ? html`<ul class="list">${this.lists[list].map((player) => this.line(list, player))}</ul>` : html`<p class="muted">${t("people.empty")}</p>`}
    </section>`);
  }

  line(list, player) {
    return html`<li><span><a href="/player/${player.id}">${player.name}</a></span>
      <button type="button" ?disabled=${this.busy} aria-label=${t("people.lift", { who: player.name })} @click=${() => this.lift(list, player)}>${t(`person.${list}_lift`)}</button></li>`;
  }

  async lift(list, player) {
    await this.attempt(() => call("DELETE", `/players/me/${list}/${player.id}`));
    await this.refresh();
  }
}

define("qx-people", People);
