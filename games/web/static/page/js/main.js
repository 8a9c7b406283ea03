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

function keepShell() {
  navigator.serviceWorker?.register("/worker.js").catch(() => {});
}
if (document.readyState === "complete") keepShell();
else addEventListener("load", keepShell);

// Another tab logged in or out.
addEventListener("storage", (event) => {
  if (event.key?.startsWith("qx.")) session.dispatchEvent(new Event("change"));
});
