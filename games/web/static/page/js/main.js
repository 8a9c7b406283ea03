// The entry point: loads the language and the theme, then the frame, then the view of the address.

import "./app.js";
import { session } from "./api.js";
import { followLinks } from "./routes.js";
import { settings } from "./settings.js";
import { loadLanguage } from "./words.js";

settings.apply();
followLinks();
await loadLanguage();
settings.addEventListener("change", loadLanguage);
document.querySelector("qx-app").begin();

// Registered last, because the worker fetches the files of the first load a second time for its cache.
const KEPT_AFTER_MS = 4000;
setTimeout(() => navigator.serviceWorker?.register("/worker.js").catch(() => {}), KEPT_AFTER_MS);

// Another tab logged in or out.
addEventListener("storage", (event) => {
  if (event.key?.startsWith("qx.")) session.dispatchEvent(new Event("change"));
});
