// The player's account: a guest with a name, or an account with devices; signing up, in and out.

import { call, command, device, get, session } from "./api.js";
import { define, errorText, html, nothing, Part, showMessage } from "./element.js";
import "./part-credentials.js";
import { go } from "./routes.js";
import { settings } from "./settings.js";
import { t, when } from "./words.js";

class Account extends Part {
  static properties = { devices: { state: true }, me: { state: true }, mode: { state: true } };

  get heading() {
    return t("nav.account");
  }

  connectedCallback() {
    super.connectedCallback();
    this.mode = location.hash === "#in" ? "in" : "up";
    this.refresh();
  }

  async refresh() {
    if (!session.token) return;
    try {
      const me = (this.me = await get("/players/me"));
      session.know({ id: me.id, name: me.name, is_guest: me.is_guest, is_bot: false });
      this.devices = (await get("/sessions")).results;
    } catch (error) {
      showMessage(errorText(error), "bad");
    }
  }

  render() {
    const { player } = session;
    return html`<div class="columns">
      ${player ? this.profile(player) : html`<h1 class="hidden">${t("nav.account")}</h1>`}
      ${!player || player.is_guest ? this.entry() : nothing}
      ${player && !player.is_guest && this.me?.email ? html`<qx-credentials .me=${this.me} @change=${() => this.refresh()}></qx-credentials>` : nothing}
      ${player && this.devices ? this.sessions() : nothing}
    </div>`;
  }

  profile(player) {
    return html`<section class="card">
      <h1>${player.name}</h1>
      <p class="muted">${t(player.is_guest ? "account.guest" : "account.member")}</p>
      <form class="inline" @submit=${this.rename}>
        <label>${t("account.name")}<input name="name" required maxlength="24" .value=${player.name} autocomplete="nickname"></label>
        <button ?disabled=${this.busy}>${t("account.save")}</button>
      </form>
      <p><a href="/player/${player.id}">${t("account.public")}</a></p>
      <div class="actions">
        <button type="button" @click=${this.leave}>${t("account.sign_out")}</button>
        <a class="button" href="/settings">${t("nav.settings")}</a>
      </div>
    </section>`;
  }

  entry() {
    if (this.mode === "forgotten") return this.forgotten();
    const isIn = this.mode === "in";
    return html`<section class="card">
      <h2>${t(isIn ? "account.sign_in" : "account.sign_up")}</h2>
      <p>${t(isIn ? "account.sign_in_text" : "account.sign_up_text")}</p>
      <form class="fields" @submit=${(event) => this.enter(event, isIn)}>
        ${isIn ? nothing : html`<label>${t("account.name")}<input name="name" required maxlength="24" .value=${session.player?.name ?? ""} autocomplete="nickname"></label>`}
        <label>${t("account.email")}<input name="email" type="email" required autocomplete="email"></label>
        <label>${t("account.password")}<input name="password" type="password" required autocomplete=${isIn ? "current-password" : "new-password"}></label>
        <button class="main" ?disabled=${this.busy}>${t(isIn ? "account.sign_in" : "account.sign_up")}</button>
      </form>
      <div class="actions">${this.turn(isIn ? "up" : "in", isIn ? "account.sign_up" : "account.sign_in")} ${isIn ? this.turn("forgotten", "account.forgotten") : nothing}</div>
    </section>`;
  }

  turn(mode, text) {
    return html`<button type="button" class="quiet" @click=${() => (this.mode = mode)}>${t(text)}</button>`;
  }

  forgotten() {
    return html`<section class="card">
      <h2>${t("account.forgotten")}</h2>
      <p>${t("account.forgotten_text")}</p>
      <form class="fields" @submit=${this.remind}>
        <label>${t("account.email")}<input name="email" type="email" required autocomplete="email"></label>
        <button class="main" ?disabled=${this.busy}>${t("account.forgotten_send")}</button>
      </form>
      <div class="actions">${this.turn("in", "account.sign_in")}</div>
    </section>`;
  }

  // The answer does not reveal whether there is such an account.
  async remind(event) {
    event.preventDefault();
    const { email } = Object.fromEntries(new FormData(event.target));
    await this.attempt(async () => {
      await call("POST", "/players/passwords/forgotten", { body: { email } });
      showMessage(t("account.forgotten_sent"));
      this.mode = "in";
    });
  }

  sessions() {
    return html`<section class="card">
      <h2>${t("account.devices")}</h2>
      <ul class="list">${this.devices.map((each) => html`<li><span>${each.device || t("account.unnamed")}${each.current ? ` (${t("account.this")})` : ""}<small>${when(each.last_seen_at ?? each.created_at)}</small></span>
        ${each.current ? nothing : html`<button type="button" @click=${() => this.end(each)}>${t("account.sign_out")}</button>`}</li>`)}</ul>
      ${this.devices.length > 1 ? html`<button type="button" ?disabled=${this.busy} @click=${this.leaveAll}>${t("account.sign_out_all")}</button>` : nothing}
    </section>`;
  }

  async rename(event) {
    event.preventDefault();
    const name = new FormData(event.target).get("name");
    await this.attempt(async () => {
      const me = await call("PATCH", "/players/me", { body: { name } });
      session.know({ ...session.player, name: me.name });
      showMessage(t("account.saved"));
    });
  }

  async enter(event, isIn) {
    event.preventDefault();
    const body = { ...Object.fromEntries(new FormData(event.target)), device: device() };
    const entered = await this.attempt(async () => {
      const { token } = session;
      const answer = isIn ? await call("POST", "/sessions", { body }) : await command("/players", body);
      session.begin(answer);
      if (isIn) await this.adoptLanguage();
      if (token) await this.forget(token);
      showMessage(t("account.welcome", { name: answer.player.name }));
      return true;
    });
    if (entered) await this.refresh();
  }

  // The server answers in the language of the account; the page shows the same.
  async adoptLanguage() {
    const { locale } = await get("/players/me");
    if (locale) settings.set("language", locale);
  }

  // Ends the session that this browser had before.
  forget(token) {
    return call("DELETE", "/sessions/current", { headers: { Authorization: `Bearer ${token}` } }).catch(() => {});
  }

  async end(each) {
    await this.attempt(() => call("DELETE", `/sessions/${each.id}`));
    await this.refresh();
  }

  async leaveAll() {
    const gone = await this.attempt(async () => {
      await call("DELETE", "/sessions");
      return true;
    });
    if (!gone) return;
    session.end();
    go("/");
  }

  // A guest has no account to sign in to again: the page asks before it signs out.
  async leave() {
    if (session.player?.is_guest && !confirm(t("account.guest_leaves"))) return;
    await this.attempt(() => call("DELETE", "/sessions/current"));
    session.end();
    go("/");
  }
}

define("qx-account", Account);
