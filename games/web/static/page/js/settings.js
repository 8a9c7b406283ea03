// What this browser remembers of its player's wishes; knows no server and no page.

const PLACE = "qx.settings";
const DEFAULTS = { language: null, theme: "auto", sound: false, confirm: false, autopass: true };

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

  // "auto" leaves the choice between dark and light to the system.
  apply() {
    const { theme } = this.#values;
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }
}

export const settings = new Settings();
