// A tip of the coach, dismissed for good; the rules page brings all tips back.

import { tipFor } from "./coach.js";
import { define, html, nothing, Part } from "./element.js";
import { icon } from "./pictures.js";
import { settings } from "./settings.js";
import { has, t } from "./words.js";

export function dismiss(...tips) {
  settings.set("tips", [...new Set([...settings.get("tips"), ...tips])]);
}

export function bringBack(ruleset) {
  settings.set("tips", settings.get("tips").filter((tip) => tip.split(".")[0] !== ruleset));
}

class Coach extends Part {
  static properties = { view: { attribute: false } };

  render() {
    const tip = tipFor(this.view, settings.get("tips"), has);
    if (!tip) return nothing;
    return html`<aside class="coach" aria-label=${t("coach.title")}>
      <p role="status">${icon("speech")} ${t(`coach.${tip}`)}</p>
      <div><button type="button" class="main" @click=${() => dismiss(tip)}>${t("coach.good")}</button>
      <button type="button" class="quiet" @click=${() => dismiss(this.view.ruleset)}>${t("coach.none")}</button></div>
    </aside>`;
  }
}

define("qx-coach", Coach);
