// Where the page begins: the reader's language and theme, then the frame, then the part that the address names.

import "./app.js";
import { session } from "./api.js";
import { followLinks } from "./routes.js";
import { settings } from "./settings.js";
import { speak } from "./words.js";

settings.apply();
followLinks();
await speak();
settings.addEventListener("change", speak);
document.querySelector("qx-app").begin();

// Later than all that the first look needs: the worker fetches the shell once more to keep it.
const KEPT_AFTER_MS = 4000;
setTimeout(() => navigator.serviceWorker?.register("/worker.js").catch(() => {}), KEPT_AFTER_MS);

// Another tab logged in or out.
addEventListener("storage", (event) => {
  if (event.key?.startsWith("qx.")) session.dispatchEvent(new Event("change"));
});
