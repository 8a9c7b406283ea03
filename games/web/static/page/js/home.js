// What the player's first screen shows: games, invitations, the queue. Fetched once for the badge, the home view and the notices.

import { get, session } from "./api.js";

const PLACE = "qx.home";
const AFTER_MS = 1000;

class HomeData extends EventTarget {
  #timer;
  #data = JSON.parse(localStorage.getItem(PLACE) ?? "null");

  // The last known data; null without a player. The unfinished games of an earlier visit are shown at once.
  get data() {
    return session.token ? this.#data : null;
  }

  // Once per second at most.
  refreshSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.refresh(), AFTER_MS);
  }

  async refresh() {
    if (!session.token) return this.#know(null);
    try {
      return this.#know(await get("/home"));
    } catch {
      return undefined; // what was known stays
    }
  }

  // A game that this page has just begun, until the next refresh.
  began(game) {
    const { playing = [], ...others } = this.#data ?? {};
    this.#data = { ...others, playing: [game, ...playing] };
  }

  #know(data) {
    this.#data = data;
    if (data) localStorage.setItem(PLACE, JSON.stringify({ playing: data.playing.slice(0, 3), waiting: [], invitations: [], player: data.player }));
    else localStorage.removeItem(PLACE);
    this.dispatchEvent(new Event("change"));
  }
}

export const home = new HomeData();
