// The player's place in the queue of matchmaking. It goes on while the player looks at other views.

import { call, command, ensurePlayer, get, session, Unreachable } from "./api.js";

const REFRESH_EVERY_MS = 1500;
const KEPT = "qx.ticket"; // stored for this tab, so that a reload keeps the ticket

class Queue extends EventTarget {
  ticket = sessionStorage.getItem(KEPT);
  answer = null;
  #timer;

  // After a reload.
  resume() {
    if (this.ticket && session.token) this.refresh();
  }

  async enter(wish) {
    await ensurePlayer();
    this.follow(await this.#queued(wish));
  }

  // A player who is already queued, in another tab or before a reload, keeps that ticket.
  async #queued(wish) {
    try {
      return await command("/matchmaking", { ...wish, late_seed: true });
    } catch (error) {
      if (error.code !== "already_queued") throw error;
      return get(`/matchmaking/${error.problem.ticket}`);
    }
  }

  follow(answer) {
    clearTimeout(this.#timer);
    this.answer = answer;
    const waits = answer.status === "queued" && !answer.game;
    this.#keep(waits ? (answer.ticket ?? this.ticket) : null);
    if (answer.game) this.dispatchEvent(new CustomEvent("match", { detail: answer.game }));
    if (waits) this.#timer = setTimeout(() => this.refresh(), REFRESH_EVERY_MS);
  }

  async refresh() {
    const { ticket } = this;
    if (!ticket) return;
    try {
      const answer = await get(`/matchmaking/${ticket}`);
      if (ticket === this.ticket) this.follow(answer);
    } catch (error) {
      if (error instanceof Unreachable) this.#timer = setTimeout(() => this.refresh(), REFRESH_EVERY_MS);
      else if (ticket === this.ticket) this.#keep(null);
    }
  }

  async leave() {
    clearTimeout(this.#timer);
    const { ticket } = this;
    this.#keep(null);
    try {
      const { game } = await call("DELETE", `/matchmaking/${ticket}`);
      if (game) this.dispatchEvent(new CustomEvent("match", { detail: game })); // a match was found at the same moment
    } catch {
      // a ticket that no client reads expires
    }
  }

  #keep(ticket) {
    this.ticket = ticket;
    if (ticket) sessionStorage.setItem(KEPT, ticket);
    else sessionStorage.removeItem(KEPT);
    this.dispatchEvent(new Event("change"));
  }
}

export const queue = new Queue();
