// "Prove the dice": checks the export of a game in this browser, with the same verifier that runs on the command line.

import { raw } from "./api.js";
import { notedOf } from "./client-seed.js";
import { define, errorText, html, nothing, Part } from "./element.js";
import { icon } from "./pictures.js";
import { named, t } from "./words.js";

class Proof extends Part {
  static properties = { game: { attribute: false }, report: { state: true }, failure: { state: true } };

  render() {
    return html`
      <p>${t("proof.about")}</p>
      <button type="button" ?disabled=${this.busy} @click=${this.prove}>${icon("shield")} ${t(this.busy ? "proof.checking" : "proof.check")}</button>
      <div role="status" aria-live="polite">${this.failure ? html`<p class="verdict" data-mood="bad">${this.failure}</p>` : this.verdict()}</div>
    `;
  }

  verdict() {
    const { report } = this;
    if (!report) return nothing;
    return html`<p class="verdict" data-mood=${report.ok ? "good" : "bad"}>${icon(report.ok ? "check" : "close")} ${t(report.ok ? "proof.good" : "proof.bad")}</p>
      ${report.bad ? html`<p><code>${report.bad.version ?? ""} ${report.bad.check}: ${report.bad.why}</code></p>` : nothing}
      <ul class="list checks">${Object.entries(report.checks).map(([name, found]) => this.check(name, found))}</ul>
      ${this.isSeedMissing ? html`<p class="verdict" data-mood="bad">${t("proof.seed_missing")}</p>` : nothing}
      ${report.client_seeds?.length ? this.seeds(report.client_seeds) : nothing}`;
  }

  // The kind of each seat's client seed, and what follows from all of them.
  seeds(clientSeeds) {
    const isLate = clientSeeds.some(({ seed }) => seed === "late");
    return html`<h3>${t("proof.seeds")}</h3>
      <ul class="list seeds">${clientSeeds.map(({ seat, seed }) => html`<li>${icon(seed === "late" ? "check" : "person")}<span>${t("proof.seat", { n: seat + 1 })}: ${named("seed", seed)}</span></li>`)}</ul>
      <p>${t(isLate ? "proof.not_chosen" : "proof.maybe_chosen")}</p>`;
  }

  check(name, found) {
    const skipped = found !== "ok" && found !== "failed";
    return html`<li class=${skipped ? "muted" : ""}>${icon(found === "ok" ? "check" : "close")}<span>${named("check", name)}${skipped ? ` (${t("proof.skipped")})` : ""}</span></li>`;
  }

  async prove() {
    this.failure = this.report = null;
    this.busy = true;
    try {
      const [{ verify }, answer] = await Promise.all([import("./verify.js"), raw("GET", this.game.path("/export"))]);
      const [text, noted] = [await answer.text(), notedOf(this.game.id)];
      this.isSeedMissing = Boolean(noted && !text.includes(`"${noted.seed}"`));
      this.report = await verify(text, noted ? [this.game.id, noted.commitment] : []);
    } catch (error) {
      this.failure = error instanceof TypeError ? t("error.unreachable") : errorText(error);
    } finally {
      this.busy = false;
      this.requestUpdate();
    }
  }
}

define("qx-proof", Proof);
