// What the server prints of games and sheets, for parts that need it before they can draw.

import { rulesets } from "./api.js";
import { Part, said, tell } from "./element.js";

export class Printing extends Part {
  static properties = { printings: { state: true } };

  async connectedCallback() {
    super.connectedCallback();
    try {
      this.printings = await rulesets();
    } catch (error) {
      tell(said(error), "bad");
    }
  }

  printing(key) {
    return this.printings?.find((ruleset) => ruleset.key === key);
  }
}
