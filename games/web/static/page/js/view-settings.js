// The settings of the page in this browser, and the player's data.

import { call, session } from "./api.js";
import { define, html, nothing, Part } from "./element.js";
import "./part-data.js";
import "./part-people.js";
import { settings } from "./settings.js";
import { play } from "./sound.js";
import { language, LANGUAGES, t } from "./words.js";

const SWITCHES = ["confirm", "autopass", "sound"];
const THEMES = ["auto", "light", "dark"];

class SettingsView extends Part {
  get heading() {
    return t("nav.settings");
  }

  render() {
    return html`<section class="card narrow fields">
      <h1>${t("nav.settings")}</h1>
      ${SWITCHES.map(
        (name) => html`<label class="check"><input type="checkbox" name=${name} .checked=${settings.get(name)} @change=${(event) => this.change(name, event.target.checked)}>
          <span>${t(`settings.${name}`)}<small>${t(`settings.${name}_text`)}</small></span></label>`,
      )}
      <fieldset class="choice"><legend>${t("settings.theme")}</legend>
        ${THEMES.map((theme) => html`<label><input type="radio" name="theme" value=${theme} .checked=${settings.get("theme") === theme} @change=${() => settings.set("theme", theme)}><span>${t(`settings.${theme}`)}</span></label>`)}
      </fieldset>
      <fieldset class="choice"><legend>${t("settings.language")}</legend>
        ${Object.entries(LANGUAGES).map(([tag, name]) => html`<label lang=${tag}><input type="radio" name="language" value=${tag} .checked=${language() === tag} @change=${() => this.chooseLanguage(tag)}><span>${name}</span></label>`)}
      </fieldset>
      <p class="foot-links"><a href="/account">${t("nav.account")}</a> <a href="/rules">${t("nav.rules")}</a> <a href="/about">${t("nav.about")}</a></p>
    </section>
    ${session.token ? html`<section class="card narrow"><qx-people></qx-people></section><section class="card narrow"><qx-data></qx-data></section>` : nothing}`;
  }

  // The server writes mails in this language, too.
  chooseLanguage(tag) {
    settings.set("language", tag);
    if (session.token) call("PATCH", "/players/me", { body: { locale: tag } }).catch(() => {});
  }

  change(name, value) {
    settings.set(name, value);
    if (name === "sound") play("turn");
  }
}

define("qx-settings", SettingsView);
