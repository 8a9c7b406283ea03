// The frame of the page: name, navigation, the view of the current address, and short messages. Knows no game.

import { session } from "./api.js";
import { define, html, nothing, Part } from "./element.js";
import { home } from "./home.js";
import { icon } from "./pictures.js";
import { queue } from "./queue.js";
import { go, routeOf } from "./routes.js";
import { t } from "./words.js";

const PLACES = [
  ["/", "home"],
  ["/lobby", "lobby"],
  ["/games", "games"],
  ["/boards", "boards"],
  ["/settings", "settings"],
];
const SHOWN_MS = 5000;
const ASKED_MS = 30_000; // a message with buttons

class App extends Part {
  static properties = { message: { state: true }, view: { state: true }, waiting: { state: true } };
  #fading;

  // Removes the text for browsers without JavaScript.
  createRenderRoot() {
    this.replaceChildren();
    return this;
  }

  begin() {
    addEventListener("qx-route", () => this.show());
    addEventListener("qx-message", (event) => this.showMessage(event.detail));
    addEventListener("qx-waiting", () => home.refreshSoon());
    addEventListener("qx-me", (event) => this.receive(event.detail));
    session.addEventListener("change", () => this.follow());
    home.addEventListener("change", () => this.count());
    queue.addEventListener("change", () => this.requestUpdate());
    queue.addEventListener("match", (event) => this.match(event.detail));
    queue.resume();
    this.follow();
    this.begun = true;
    this.show();
  }

  async show() {
    const route = routeOf(location.pathname);
    if (!route) return go("/", { replace: true });
    try {
      await route.load();
    } catch {
      this.showMessage({ text: t("error.unreachable"), mood: "bad" });
      return;
    }
    if (routeOf(location.pathname)?.tag !== route.tag) return;
    const view = Object.assign(document.createElement(route.tag), route.params);
    this.view = view;
    await this.updateComplete;
    scrollTo(0, 0);
    if (this.visited) this.querySelector("main").focus({ preventScroll: true });
    this.visited = true;
    this.follow();
    this.count();
    home.refreshSoon();
  }

  // Opens the stream of notifications; its module is loaded only when a player is signed in.
  async follow() {
    if (!session.token && !this.following) return;
    try {
      (await (this.following ??= import("./notifications.js"))).follow();
    } catch {
      this.following = null; // no network; the next view tries again
    }
  }

  async receive(frame) {
    if (frame.type === "match_found") queue.follow({ ...frame, status: "matched" });
    home.refreshSoon();
    const message = (await import("./notices.js")).notice(frame);
    if (message) this.showMessage(message);
  }

  // A player who is in another game is asked first.
  match(game) {
    if (!location.pathname.startsWith("/game/") || location.pathname.endsWith(game)) return go(`/game/${game}`);
    return this.showMessage({ text: t("match.found"), mood: "good", actions: [{ label: t("match.open"), run: () => go(`/game/${game}`) }] });
  }

  // The number on the badge: games that wait for this player, without the one on the screen, and open invitations.
  count() {
    const { waiting = [], invitations = [] } = home.data ?? {};
    this.waiting = waiting.filter(({ id }) => !location.pathname.endsWith(id)).length + invitations.length;
  }

  showMessage(message) {
    clearTimeout(this.#fading);
    this.message = message;
    this.#fading = setTimeout(() => (this.message = null), message.actions ? ASKED_MS : SHOWN_MS);
  }

  render() {
    if (!this.begun) return nothing;
    const here = location.pathname;
    const atTable = here.startsWith("/game/") || here.startsWith("/learn/");
    document.title = `${this.waiting ? `(${this.waiting}) ` : ""}${this.view?.heading ?? t("app.name")} · ${t("app.name")}`;
    return html`
      <a class="skip" href="#main" @click=${this.skip}>${t("app.skip")}</a>
      <header class="bar">
        <a class="brand" href="/" aria-label=${t("nav.home")}>${icon("logo")}<span>${t("app.name")}</span></a>
        ${queue.ticket ? this.ticket() : nothing}
        <a class="who" href="/account">${icon("person")}<span>${session.player?.name ?? t("nav.account")}</span></a>
      </header>
      <nav class="places" aria-label=${t("app.nav")} ?data-table=${atTable}>
        ${PLACES.map(
          ([path, name]) => html`<a href=${path} aria-current=${this.isHere(path, here) ? "page" : nothing}>
            ${icon(name)}<span>${t(`nav.${name}`)}</span>
            ${name === "games" && this.waiting
              ? html`<b class="badge"><span aria-hidden="true">${this.waiting}</span><span class="hidden">${t("nav.waiting", { n: this.waiting })}</span></b>`
              : nothing}
          </a>`,
        )}
      </nav>
      <main id="main" tabindex="-1">${this.view}</main>
      <div class="toast" role="status" aria-live="polite" data-mood=${this.message?.mood ?? ""} ?data-shown=${this.message}>
        <span>${this.message?.text ?? ""}</span>
        ${this.message?.actions?.map(({ label, run }, place) => html`<button type="button" class=${place ? "" : "main"} @click=${() => this.answer(run)}>${label}</button>`)}
      </div>
    `;
  }

  answer(run) {
    this.message = null;
    this.attempt(run);
  }

  ticket() {
    return html`<span class="ticket"><a href="/lobby"><span class="spinner" aria-hidden="true"></span> ${t("match.waiting")}</a>
      <button type="button" class="quiet" aria-label=${t("match.leave")} title=${t("match.leave")} @click=${() => queue.leave()}>${icon("close")}</button></span>`;
  }

  isHere(path, here) {
    return path === "/" ? here === "/" : here.startsWith(path);
  }

  skip(event) {
    event.preventDefault();
    document.querySelector("main").focus();
  }
}

define("qx-app", App);
