// The settings that this browser stores; knows neither server nor page.

const PLACE = "qx.settings";
const DEFAULTS = { language: null, theme: "auto", sound: false, confirm: false, autopass: true, tips: [], level: "easy" };

function read() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(PLACE) ?? "{}") };
  } catch {
    return { ...DEFAULTS };
  }
}

class Settings extends EventTarget {
  #values = read();

  get(name) {
    return this.#values[name];
  }

  set(name, value) {
    this.#values = { ...this.#values, [name]: value };
    localStorage.setItem(PLACE, JSON.stringify(this.#values));
    this.apply();
    this.dispatchEvent(new Event("change"));
  }

  // "auto" follows the system.
  apply() {
    const { theme } = this.#values;
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }
}

export const settings = new Settings();
