// The frame of the page: name, navigation, the view of the current address, and short messages. Knows no game.

import { get, session } from "./api.js";
import { define, html, nothing, Part } from "./element.js";
import { icon } from "./pictures.js";
import { go, routeOf } from "./routes.js";
import { figure, named, t } from "./words.js";

const PLACES = [
  ["/", "home"],
  ["/lobby", "lobby"],
  ["/games", "games"],
  ["/boards", "boards"],
  ["/settings", "settings"],
];
const SHOWN_MS = 5000;
const COUNTED_AFTER_MS = 1000;

class App extends Part {
  static properties = { message: { state: true }, view: { state: true }, waiting: { state: true } };
  #fading;
  #counting;

  // Removes the text for browsers without JavaScript.
  createRenderRoot() {
    this.replaceChildren();
    return this;
  }

  begin() {
    addEventListener("qx-route", () => this.show());
    addEventListener("qx-message", (event) => this.showMessage(event.detail));
    addEventListener("qx-waiting", () => this.count());
    addEventListener("qx-me", (event) => this.receive(event.detail));
    session.addEventListener("change", () => this.follow());
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

  receive(frame) {
    if (frame.type === "invited") this.showMessage({ text: t("app.invited", { who: frame.by?.name ?? "" }), mood: "good" });
    if (frame.type === "rating_changed") this.showMessage({ text: t("app.rating", { game: named("ruleset", frame.ruleset), n: figure(frame.rating.value) }), mood: "good" });
    this.count();
  }

  // The number on the badge: games that wait for this player, and open invitations. Counted once per second at most.
  count() {
    clearTimeout(this.#counting);
    this.#counting = setTimeout(() => this.countNow(), COUNTED_AFTER_MS);
  }

  async countNow() {
    if (!session.token) return void (this.waiting = 0);
    try {
      const { player, invitations } = await get("/home");
      this.waiting = player.games_waiting + invitations.length;
    } catch {
      this.waiting = 0;
    }
  }

  showMessage(message) {
    clearTimeout(this.#fading);
    this.message = message;
    this.#fading = setTimeout(() => (this.message = null), SHOWN_MS);
  }

  render() {
    if (!this.begun) return nothing;
    const here = location.pathname;
    const atTable = here.startsWith("/game/");
    document.title = `${this.waiting ? `(${this.waiting}) ` : ""}${this.view?.heading ?? t("app.name")} · ${t("app.name")}`;
    return html`
      <a class="skip" href="#main" @click=${this.skip}>${t("app.skip")}</a>
      <header class="bar">
        <a class="brand" href="/" aria-label=${t("nav.home")}>${icon("logo")}<span>${t("app.name")}</span></a>
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
        ${this.message?.text ?? ""}
      </div>
    `;
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
