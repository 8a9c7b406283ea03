// Shares a game: its code, its link, and a QR code of the link.

import { define, html, nothing, Part, showMessage } from "./element.js";
import { icon } from "./pictures.js";
import { t } from "./words.js";

// Uses the share dialog of the system where there is one, else the clipboard.
export async function share(url) {
  try {
    if (navigator.share && matchMedia("(pointer: coarse)").matches) return await navigator.share({ url, title: t("app.name") });
    await navigator.clipboard.writeText(url);
    showMessage(t("share.copied"));
  } catch (error) {
    if (error.name !== "AbortError") showMessage(url);
  }
  return undefined;
}

// Shares a picture where the system can, else downloads it.
export async function sharePicture(blob, name) {
  const file = new File([blob], name, { type: blob.type });
  if (navigator.canShare?.({ files: [file] }) && matchMedia("(pointer: coarse)").matches) return navigator.share({ files: [file] }).catch(() => {});
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: name });
  link.click();
  return URL.revokeObjectURL(link.href);
}

class Share extends Part {
  static properties = { code: { type: String } };

  render() {
    if (!this.code) return nothing;
    const link = `${location.origin}/join/${this.code}`;
    return html`<div class="share">
      <img class="qr" src="/join/${this.code}/qr.svg" alt=${t("share.qr")} width="160" height="160">
      <div>
        <p>${t("share.code")}</p>
        <p class="code">${this.code}</p>
        <button type="button" @click=${() => share(link)}>${icon("share")} ${t("share.link")}</button>
      </div>
    </div>`;
  }
}

define("qx-share", Share);
