// The frame: name, navigation, the part that the address names, and short messages. Knows no game.

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

  // What is shown to browsers without scripts makes room.
  createRenderRoot() {
    this.replaceChildren();
    return this;
  }

  begin() {
    addEventListener("qx-route", () => this.show());
    addEventListener("qx-tell", (event) => this.tell(event.detail));
    addEventListener("qx-waiting", () => this.count());
    addEventListener("qx-me", (event) => this.heard(event.detail));
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
      this.tell({ text: t("error.unreachable"), mood: "bad" });
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

  // One's own affairs, live; what only players need comes once there is one.
  async follow() {
    if (!session.token && !this.following) return;
    try {
      (await (this.following ??= import("./affairs.js"))).follow();
    } catch {
      this.following = null; // without a network; the next page tries again
    }
  }

  heard(frame) {
    if (frame.type === "invited") this.tell({ text: t("app.invited", { who: frame.by?.name ?? "" }), mood: "good" });
    if (frame.type === "rating_changed") this.tell({ text: t("app.rating", { game: named("ruleset", frame.ruleset), n: figure(frame.rating.value) }), mood: "good" });
    this.count();
  }

  // How many games wait for this player, or for his word whether he comes: a badge. Several reasons to ask within a second are one.
  count() {
    clearTimeout(this.#counting);
    this.#counting = setTimeout(() => this.countNow(), COUNTED_AFTER_MS);
  }

  async countNow() {
    if (!session.token) return void (this.waiting = 0);
    try {
      const [me, invitations] = await Promise.all([get("/players/me"), get("/invitations")]);
      this.waiting = me.games_waiting + invitations.results.length;
    } catch {
      this.waiting = 0;
    }
  }

  tell(message) {
    clearTimeout(this.#fading);
    this.message = message;
    this.#fading = setTimeout(() => (this.message = null), SHOWN_MS);
  }

  render() {
    if (!this.begun) return nothing;
    const here = location.pathname;
    const atTable = here.startsWith("/game/");
    document.title = `${this.waiting ? `(${this.waiting}) ` : ""}${this.view?.heading ?? t("app.name")} · Qwixx Service`;
    return html`
      <a class="skip" href="#main" @click=${this.skip}>${t("app.skip")}</a>
      <header class="bar">
        <a class="brand" href="/" aria-label=${t("nav.home")}>${icon("logo")}<span>Qwixx <b>Service</b></span></a>
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
