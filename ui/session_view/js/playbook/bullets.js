// @ts-check
/** Texts of bullets, asked for once and kept: those of one playbook at one revision never change. */

/** @import { Bullet, BulletsAnswer } from "./types.d.ts" */
/** @typedef {{ playbook: string; revision: number | null; ids?: string[] }} Query */
/** @typedef {{ playbook: string; revision: number | null; mark?: string }} Place */
/** @typedef {{ ids: string[]; more: number }} Listing all bullets that are not archived, as far as one answer holds them */
/**
 * What is known of a place. `found` holds null for a bullet that was asked for and is not there.
 * @typedef {object} Shelf
 * @property {Map<string, Bullet | null>} found
 * @property {Set<string>} asked
 * @property {Listing | null} all
 * @property {string} error
 * @property {Promise<unknown>} [ready]
 */
/** @typedef {ReturnType<typeof createBullets>} Bullets */

const MOST_NAMED = 400;

/**
 * Where bullets are served, below `base`. Without ids: the first of them all.
 * @param {string} base
 * @param {Query} query
 */
export function bulletsUrl(base, { playbook, revision, ids }) {
  const query = new URLSearchParams({ playbook });
  if (revision != null) query.set("revision", String(revision));
  if (ids) query.set("ids", ids.join(","));
  return `${base}api/playbook?${query}`;
}

/**
 * @param {object} source
 * @param {(query: Query) => Promise<BulletsAnswer>} source.get asks the server
 * @param {() => void} source.onChange called when something that was asked for has come, or failed
 */
export function createBullets({ get, onChange }) {
  /** @type {Map<string, Shelf>} by playbook, revision and mark */
  let shelves = new Map();

  /**
   * @param {Place} place
   * @returns {Shelf}
   */
  function shelfOf({ playbook, revision, mark = "" }) {
    const key = JSON.stringify([playbook, revision, mark]);
    const shelf = shelves.get(key) ?? { found: new Map(), asked: new Set(), all: null, error: "" };
    shelves.set(key, shelf);
    return shelf;
  }

  /**
   * @param {Shelf} shelf
   * @param {Place} place
   * @param {string[] | null} ids
   */
  async function fetchInto(shelf, { playbook, revision }, ids) {
    try {
      const { bullets, more } = await get({ playbook, revision, ...(ids && { ids }) });
      for (const id of ids ?? []) shelf.found.set(id, null); // asked for, and not there
      for (const bullet of bullets) shelf.found.set(bullet.id, bullet);
      if (!ids) shelf.all = { ids: bullets.filter(({ archived }) => !archived).map(({ id }) => id), more };
    } catch (error) {
      shelf.error = error instanceof Error ? error.message : String(error);
    }
    onChange();
  }

  return {
    /**
     * The bullets `ids` of a place, `{playbook, revision, mark?}`; what is not known yet is asked for.
     * A place without a revision is the playbook as it is when it is first asked for under that mark.
     * @param {Place} place
     * @param {string[]} ids
     * @returns {{ found: Shelf["found"]; error: string; ready: Promise<unknown> | null }} `ready` ends once all have come
     *   or failed
     */
    of(place, ids) {
      const shelf = shelfOf(place);
      const missing = shelf.error ? [] : ids.filter((id) => !shelf.found.has(id) && !shelf.asked.has(id));
      const sent = [];
      for (let at = 0; at < missing.length; at += MOST_NAMED) {
        const part = missing.slice(at, at + MOST_NAMED);
        for (const id of part) shelf.asked.add(id);
        sent.push(fetchInto(shelf, place, part));
      }
      if (sent.length) shelf.ready = Promise.all([shelf.ready, ...sent]);
      return { found: shelf.found, error: shelf.error, ready: shelf.ready ?? null };
    },
    /**
     * All that are not archived, as far as one answer holds them: `{ids, more}`; null while they are on their way.
     * @param {Place} place
     */
    all(place) {
      const shelf = shelfOf(place);
      if (!shelf.all && !shelf.error && !shelf.asked.has("*")) {
        shelf.asked.add("*");
        fetchInto(shelf, place, null);
      }
      return shelf.all;
    },
    /**
     * Forgets that a place could not be read, so that it is asked for again.
     * @param {Place} place
     */
    retry(place) {
      const shelf = shelfOf(place);
      Object.assign(shelf, { error: "", asked: new Set(shelf.found.keys()) });
      onChange();
    },
    clear() {
      shelves = new Map();
    },
  };
}
