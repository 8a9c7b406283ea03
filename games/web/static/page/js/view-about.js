// About the service: what it is, why its dice can be trusted, and links to the API documents.

import { define, html, Part } from "./element.js";
import { t } from "./words.js";

class About extends Part {
  get heading() {
    return t("nav.about");
  }

  render() {
    return html`<section class="card narrow">
      <h1>${t("nav.about")}</h1>
      <p>${t("about.what")}</p>
      <h2>${t("home.fair")}</h2>
      <p>${t("about.fair")}</p>
      <p class="muted">${t("about.limits")}</p>
      <h2>${t("about.doors")}</h2>
      <ul class="list">
        <li><a href="/api/docs/">${t("shell.api")}</a></li>
        <li><a href="/admin/">${t("shell.admin")}</a></li>
        <li><a href="/readyz">${t("shell.ready")}</a></li>
      </ul>
      <p class="muted">${t("about.publishers")}</p>
    </section>`;
  }
}

define("qx-about", About);
