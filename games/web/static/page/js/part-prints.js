// Loads the rulesets and their sheets for parts that need them to render.

import { rulesets } from "./api.js";
import { errorText, Part, showMessage } from "./element.js";

export class Printing extends Part {
  static properties = { printings: { state: true } };

  async connectedCallback() {
    super.connectedCallback();
    try {
      this.printings = await rulesets();
    } catch (error) {
      showMessage(errorText(error), "bad");
    }
  }

  printing(key) {
    return this.printings?.find((ruleset) => ruleset.key === key);
  }
}
