// Caches the shell for use without a network; responses of the API are never cached. The server writes BUILD and SHELL above this line.

const CACHE = `page-${BUILD}`;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(SHELL)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches.keys()
      .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

// The shell is the same for every address: without a network the cached one is used.
async function page(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match("/", { ignoreVary: true })) ?? Response.error();
  }
}

// A file of a build never changes, so it does not matter which headers the request had.
async function file(request) {
  const cached = await caches.match(request, { ignoreVary: true });
  if (cached) return cached;
  const response = await fetch(request);
  if (response.ok) (await caches.open(CACHE)).put(request, response.clone());
  return response;
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (pathname.startsWith("/static/page/")) event.respondWith(file(request));
  else if (request.mode === "navigate" && !/^\/(admin|api|static|readyz|healthz|metrics)/.test(pathname)) event.respondWith(page(request));
});
