// @ts-check
/**
 * The stage: large text without the side bar, controls and input. It is on while the address says `stage=1`, on every page;
 * the script drops what it does not name from the address, so it is put back.
 */

import { h } from "../../../browser/js/elements.js";

const NAME = "stage";

export class Stage {
  #on = isNamed();
  #leave = h(
    "button.leave-stage",
    { type: "button", title: "Leave the stage (Esc)", "aria-label": "Leave the stage", onclick: () => this.turn(false) },
    "✕",
  );

  get isOn() {
    return this.#on;
  }

  /** @param {boolean} on */
  turn(on) {
    this.#on = on;
    this.show();
  }

  /** What the address names, after Back or Forward. */
  goBack() {
    this.turn(isNamed());
  }

  /** Brings the page and its address to what is on. */
  show() {
    document.documentElement.toggleAttribute("data-stage", this.#on);
    if (this.#on && !this.#leave.isConnected) document.body.append(this.#leave);
    else if (!this.#on) this.#leave.remove();
    if (isNamed() === this.#on) return;
    const url = new URL(location.href);
    if (this.#on) url.searchParams.set(NAME, "1");
    else url.searchParams.delete(NAME);
    history.replaceState(history.state, "", url);
  }
}

function isNamed() {
  return new URL(location.href).searchParams.get(NAME) === "1";
}
