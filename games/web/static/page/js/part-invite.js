// Invites players to a game: recent opponents, or any player by the link to their page.

import { command, get, session } from "./api.js";
import { define, html, nothing, Part, showMessage } from "./element.js";
import { icon } from "./pictures.js";
import { t } from "./words.js";

const OFFERED = 6;

class Invite extends Part {
  static properties = { game: { type: String }, seated: { attribute: false }, met: { state: true }, invited: { state: true } };

  async connectedCallback() {
    super.connectedCallback();
    this.invited = new Set(JSON.parse(sessionStorage.getItem(`qx.invited.${this.game}`) ?? "[]"));
    const games = (await get("/games?mine=true&status=finished").catch(() => ({ results: [] }))).results;
    const people = games.flatMap((game) => game.seats.map((seat) => seat.player)).filter((player) => player?.id && player.id !== session.player?.id);
    this.met = [...new Map(people.map((player) => [player.id, player])).values()];
  }

  render() {
    const offered = (this.met ?? []).filter((player) => !this.seated.includes(player.id)).slice(0, OFFERED);
    return html`<h3>${t("room.invite")}</h3>
      ${offered.length ? html`<ul class="list">${offered.map((player) => this.line(player))}</ul>` : nothing}
      <form class="inline" @submit=${this.byLink}>
        <label>${t("room.invite_hint")}<input name="player" required placeholder="${location.origin}/player/…" autocomplete="off"></label>
        <button ?disabled=${this.busy}>${t("room.invite_send")}</button>
      </form>`;
  }

  line(player) {
    const done = this.invited.has(player.id);
    return html`<li>${icon("person")}<span>${player.name}</span>
      <button type="button" ?disabled=${this.busy || done} aria-label=${t("room.invite_who", { who: player.name })} @click=${() => this.invite(player.id)}>${t(done ? "room.invite_done" : "room.invite_send")}</button></li>`;
  }

  byLink(event) {
    event.preventDefault();
    const form = event.target;
    const player = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(new FormData(form).get("player"))?.[0];
    if (!player || player === session.player?.id) return void showMessage(t("room.invite_hint"), "bad");
    return this.invite(player).then((done) => done && form.reset());
  }

  invite(player) {
    return this.attempt(async () => {
      await command(`/games/${this.game}/invitations`, { player });
      this.invited = new Set([...this.invited, player]);
      sessionStorage.setItem(`qx.invited.${this.game}`, JSON.stringify([...this.invited]));
      showMessage(t("room.invited"));
      return true;
    });
  }
}

define("qx-invite", Invite);
