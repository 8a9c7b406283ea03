// The only module that calls the API: adds the token and the language, and turns refusals into errors.

import { language, t } from "./words.js";

const BASE = "/api/v1";
const TOKEN = "qx.token";
const PLAYER = "qx.player";

// A refusal by the server. `message` is its text in the page's language; `code` never changes.
export class Refusal extends Error {
  constructor(status, problem) {
    super(problem.detail ?? String(status));
    this.status = status;
    this.code = problem.code ?? "";
    this.errors = problem.errors ?? [];
    this.problem = problem;
  }

  // The errors of single members say more than the general text.
  get words() {
    return this.errors.length ? this.errors.map((error) => error.detail).join(" ") : this.message;
  }
}

// The network failed: the call may or may not have reached the server.
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
  return crypto.randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
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
const LONG_PAUSES = [...PAUSES, 5000, 10_000, 20_000, 20_000]; // of a move in a game: it waits for the network

// Ends early when the network is back.
function pause(length) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, length);
    addEventListener("online", () => resolve(clearTimeout(timer)), { once: true });
  });
}

// A command with an idempotency key: sent again when the network fails; the server executes it once.
export async function command(path, body = {}, method = "POST", { patient = false } = {}) {
  const pauses = patient ? LONG_PAUSES : PAUSES;
  const headers = { "Idempotency-Key": key() };
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await call(method, path, { body, headers });
    } catch (error) {
      if (!(error instanceof Unreachable) || attempt >= pauses.length) throw error;
      if (attempt === PAUSES.length) dispatchEvent(new CustomEvent("qx-message", { detail: { text: t("error.waiting"), mood: "bad" } }));
      await pause(pauses[attempt]);
    }
  }
}

export const get = (path, options) => call("GET", path, options);

let arriving = null;

// A visitor without a token becomes a guest.
export async function ensurePlayer() {
  if (session.token) return session.player;
  arriving ??= command("/players/guests", { name: t("guest.name", { n: 1000 + Math.floor(Math.random() * 9000) }), device: device() }).finally(() => (arriving = null));
  session.begin(await arriving);
  return session.player;
}

// The name of this browser in the list of devices.
export function device() {
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)/.exec(navigator.userAgent)?.[1] ?? "Browser";
  return `${browser}, ${navigator.userAgentData?.platform ?? navigator.platform ?? ""}`.slice(0, 60);
}

let printed = null;

// All rulesets with their sheets, fetched once.
export function rulesets() {
  printed ??= get("/rulesets").then((answer) => answer.results, (error) => {
    printed = null;
    throw error;
  });
  return printed;
}
