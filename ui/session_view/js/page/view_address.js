// @ts-check
/**
 * The view's own part of the page's address: the selected event and the open tab. The view writes it in place, without
 * telling Python; reload, links and the Back button find it again.
 */

/** Safari refuses more than 100 changes of the address in 30 seconds. */
const WRITE_EVERY = 300;
const SEQ = /^\d{1,15}$/;

/** @typedef {{ pipeline: string; session: string | null }} Place */
/** @typedef {{ event: number | null; tab: string | null }} Shown */

/** One per page: a view that is drawn anew, e.g. after a look at the settings, shows again what it showed. */
export class ViewAddress {
  /** @type {Place} */
  #place = { pipeline: "", session: null };
  #path = "";
  /** @type {Shown} */
  #shown = { event: null, tab: null };
  /** @type {number | undefined} */
  #timer;
  #changed = false;

  /**
   * What to show where the script has led: what the address names, else what was shown. The script drops from the address
   * what it does not name, so it is put back.
   * @param {Place} place
   * @returns {Shown}
   */
  arrive(place) {
    const stays = place.pipeline === this.#place.pipeline && place.session === this.#place.session;
    const named = this.#read();
    this.#place = { pipeline: place.pipeline, session: place.session };
    this.#path = location.pathname;
    const kept = stays ? this.#shown.event : null;
    this.#shown = { event: named.event === undefined ? kept : named.event, tab: named.tab ?? this.#shown.tab };
    this.#write();
    return this.#shown;
  }

  /**
   * What to show after Back or Forward: what the address names, and nothing else. Null where it leads to another session or
   * page, which the script will draw; its event is read then.
   * @returns {Shown | null}
   */
  goBack() {
    if (location.pathname !== this.#path) return null;
    const { event = null, tab } = this.#read();
    this.#shown = { event: this.#isHere() ? event : this.#shown.event, tab };
    return this.#isHere() ? this.#shown : null;
  }

  /**
   * Takes what a user chose.
   * @param {Partial<Shown>} chosen
   */
  choose(chosen) {
    this.#shown = { ...this.#shown, ...chosen };
    this.#changed = true;
    if (this.#timer === undefined) this.#writeSoon();
  }

  /** The address no longer follows; what was chosen last is in it. */
  stop() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#changed) this.#write();
  }

  #writeSoon() {
    this.#timer = undefined;
    if (!this.#changed) return;
    this.#write();
    this.#timer = setTimeout(() => this.#writeSoon(), WRITE_EVERY);
  }

  /** Whether the address is still the one of what is shown: the script may have gone on already. */
  #isHere() {
    return location.pathname === this.#path && new URL(location.href).searchParams.get("session") === this.#place.session;
  }

  /** @returns {{ event?: number | null; tab: string | null }} event undefined: not named; null: none, named as 0 */
  #read() {
    const { searchParams } = new URL(location.href);
    const said = searchParams.get("event") ?? "";
    return { event: SEQ.test(said) ? Number(said) || null : undefined, tab: searchParams.get("tab") || null };
  }

  #write() {
    this.#changed = false;
    if (!this.#isHere()) return;
    const url = new URL(location.href);
    for (const [name, value] of Object.entries(this.#shown)) {
      if (value === null) url.searchParams.delete(name);
      else url.searchParams.set(name, String(value));
    }
    if (url.href !== location.href) history.replaceState(history.state, "", url);
  }
}
