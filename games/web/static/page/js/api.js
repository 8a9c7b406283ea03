// The only place that calls the API: who is asking, in which language, and what a refusal says.

import { language, t } from "./words.js";

const BASE = "/api/v1";
const TOKEN = "qx.token";
const PLAYER = "qx.player";

// What the server refused, in its own words; `code` never changes.
export class Refusal extends Error {
  constructor(status, problem) {
    super(problem.detail ?? String(status));
    this.status = status;
    this.code = problem.code ?? "";
    this.errors = problem.errors ?? [];
    this.problem = problem;
  }

  // What was wrong with the body says more than that something was.
  get words() {
    return this.errors.length ? this.errors.map((error) => error.detail).join(" ") : this.message;
  }
}

// The network did not carry the call; nobody knows whether it arrived.
export class Unreachable extends Error {}

class Session extends EventTarget {
  get token() {
    return localStorage.getItem(TOKEN);
  }

  get player() {
    return JSON.parse(localStorage.getItem(PLAYER) ?? "null");
  }

  begin({ player, token }) {
    localStorage.setItem(TOKEN, token);
    this.know(player);
  }

  know(player) {
    localStorage.setItem(PLAYER, JSON.stringify(player));
    this.dispatchEvent(new Event("change"));
  }

  end() {
    localStorage.removeItem(TOKEN);
    localStorage.removeItem(PLAYER);
    this.dispatchEvent(new Event("change"));
  }
}

export const session = new Session();

export function key() {
  return crypto.randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join("");
}

export async function raw(method, path, { body, headers = {}, signal } = {}) {
  const { token } = session;
  const sent = { "Accept-Language": language(), ...(token ? { Authorization: `Bearer ${token}` } : {}), ...headers };
  if (body !== undefined) sent["Content-Type"] = "application/json";
  try {
    return await fetch(BASE + path, { method, headers: sent, body: body === undefined ? undefined : JSON.stringify(body), signal, cache: "no-store" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Unreachable();
  }
}

export async function call(method, path, options) {
  const token = session.token;
  const answer = await raw(method, path, options);
  if (answer.ok) return answer.status === 204 ? null : answer.json();
  const problem = await answer.json().catch(() => ({}));
  if (answer.status === 401 && problem.code === "not_authenticated" && token && token === session.token) session.end();
  throw new Refusal(answer.status, problem);
}

const PAUSES = [300, 1000, 2500];

// A command with a key: sent again when the network fails, done once however often it arrives.
export async function command(path, body = {}, method = "POST") {
  const headers = { "Idempotency-Key": key() };
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await call(method, path, { body, headers });
    } catch (error) {
      if (!(error instanceof Unreachable) || attempt >= PAUSES.length) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSES[attempt]));
    }
  }
}

export const get = (path, options) => call("GET", path, options);

let arriving = null;

// Somebody without a token becomes a guest: one call from arriving to playing.
export async function ensurePlayer() {
  if (session.token) return session.player;
  arriving ??= call("POST", "/players/guests", { body: { name: t("guest.name", { n: 1000 + Math.floor(Math.random() * 9000) }), device: device() } }).finally(() => (arriving = null));
  session.begin(await arriving);
  return session.player;
}

// How this browser is called in the list of devices.
export function device() {
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)/.exec(navigator.userAgent)?.[1] ?? "Browser";
  return `${browser}, ${navigator.userAgentData?.platform ?? navigator.platform ?? ""}`.slice(0, 60);
}

let printed = null;

// Every game and sheet, asked for once.
export function rulesets() {
  printed ??= get("/rulesets").then((answer) => answer.results, (error) => {
    printed = null;
    throw error;
  });
  return printed;
}
