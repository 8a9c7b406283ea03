// The route table: address → view. The module of a view is loaded when it is first needed.

export const ROUTES = [
  { pattern: /^\/$/, tag: "qx-home", load: () => import("./view-home.js") },
  { pattern: /^\/lobby$/, tag: "qx-lobby", load: () => import("./view-lobby.js") },
  { pattern: /^\/new$/, tag: "qx-new", load: () => import("./view-new.js") },
  { pattern: /^\/games$/, tag: "qx-games", load: () => import("./view-games.js") },
  { pattern: /^\/game\/(?<game>[0-9a-f-]{36})$/, tag: "qx-game", load: () => import("./view-game.js") },
  { pattern: /^\/join\/(?<code>[\w-]+)$/, tag: "qx-join", load: () => import("./view-join.js") },
  { pattern: /^\/rules(?:\/(?<ruleset>\w+))?$/, tag: "qx-rules", load: () => import("./view-rules.js") },
  { pattern: /^\/learn\/(?<ruleset>\w+)$/, tag: "qx-learn", load: () => import("./view-learn.js") },
  { pattern: /^\/boards(?:\/(?<ruleset>\w+)\/(?<metric>\w+))?$/, tag: "qx-boards", load: () => import("./view-boards.js") },
  { pattern: /^\/player\/(?<player>[0-9a-f-]{36})$/, tag: "qx-player", load: () => import("./view-player.js") },
  { pattern: /^\/account$/, tag: "qx-account", load: () => import("./view-account.js") },
  { pattern: /^\/settings$/, tag: "qx-settings", load: () => import("./view-settings.js") },
  { pattern: /^\/about$/, tag: "qx-about", load: () => import("./view-about.js") },
];

export function routeOf(path) {
  for (const route of ROUTES) {
    const match = route.pattern.exec(path);
    if (match) return { ...route, params: { ...match.groups } };
  }
  return null;
}

export function go(path, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"]({}, "", path);
  dispatchEvent(new Event("qx-route"));
}

// Links to addresses of the page change the view without loading a document.
export function followLinks() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
    if (link.origin !== location.origin || link.target || link.hasAttribute("download") || !routeOf(link.pathname)) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
  addEventListener("popstate", () => dispatchEvent(new Event("qx-route")));
}
