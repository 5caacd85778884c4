/**
 * Texts of bullets, asked for once and kept: those of one playbook at one revision never change. Knows neither the page nor
 * how they are fetched.
 */

const MOST_NAMED = 400;

/** Where bullets are served, below `base`. Without ids: the first of them all. */
export function bulletsUrl(base, { playbook, revision, ids }) {
  const query = new URLSearchParams({ playbook });
  if (revision != null) query.set("revision", String(revision));
  if (ids) query.set("ids", ids.join(","));
  return `${base}api/playbook?${query}`;
}

/** The Playbook page at a revision, with a bullet in view if one is named. */
export function playbookPage(base, { playbook, revision, bullet }) {
  const query = new URLSearchParams({ playbook });
  if (revision != null) query.set("revision", String(revision));
  if (bullet) query.set("bullet", bullet);
  return `${base}playbook?${query}`;
}

/**
 * @param get asks the server: ({playbook, revision, ids?}) => Promise<{bullets, more}>
 * @param onChange called when something that was asked for has come, or failed
 */
export function createBullets({ get, onChange }) {
  let shelves = new Map(); // playbook, revision and mark -> {found: Map, asked: Set, all, error}

  function shelfOf({ playbook, revision, mark = "" }) {
    const key = JSON.stringify([playbook, revision, mark]);
    if (!shelves.has(key)) shelves.set(key, { found: new Map(), asked: new Set(), all: null, error: "" });
    return shelves.get(key);
  }

  async function fetchInto(shelf, { playbook, revision }, ids) {
    try {
      const { bullets, more } = await get({ playbook, revision, ...(ids && { ids }) });
      for (const id of ids ?? []) shelf.found.set(id, null); // asked for, and not there
      for (const bullet of bullets) shelf.found.set(bullet.id, bullet);
      if (!ids) shelf.all = { ids: bullets.filter(({ archived }) => !archived).map(({ id }) => id), more };
    } catch (error) {
      shelf.error = error.message;
    }
    onChange();
  }

  return {
    /**
     * The bullets `ids` of a place, `{playbook, revision, mark?}`; what is not known yet is asked for.
     * A place without a revision is the playbook as it is when it is first asked for under that mark.
     * @returns {{found: Map, error: string, ready: Promise | null}} `found`: a bullet by id, null where there is none, and
     *   nothing while it is on its way; `ready` ends once all have come or failed.
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
    /** All that are not archived, as far as one answer holds them: `{ids, more}`; null while they are on their way. */
    all(place) {
      const shelf = shelfOf(place);
      if (!shelf.all && !shelf.error && !shelf.asked.has("*")) {
        shelf.asked.add("*");
        fetchInto(shelf, place, null);
      }
      return shelf.all;
    },
    /** Forgets that a place could not be read, so that it is asked for again. */
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
