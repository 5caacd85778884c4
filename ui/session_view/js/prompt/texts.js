// @ts-check
/** Texts that records name by hash, asked for once and kept: a text of a name never changes. */

/** @typedef {ReturnType<typeof createTexts>} Texts */

/**
 * @param {object} source
 * @param {(names: string[]) => Promise<Record<string, string>>} source.get
 * @param {() => void} source.onChange called when what was asked for has come, or failed
 */
export function createTexts({ get, onChange }) {
  /** @type {Map<string, string | null>} null for one that is not there */
  const found = new Map();
  /** @type {Set<string>} */
  const asked = new Set();
  let error = "";

  /** @param {string[]} names */
  async function fetchAll(names) {
    try {
      const texts = await get(names);
      for (const name of names) found.set(name, texts[name] ?? null);
    } catch (problem) {
      error = problem instanceof Error ? problem.message : String(problem);
    }
    onChange();
  }

  return {
    /**
     * Texts by name; what is not known yet is asked for. `ready` once all are there, or known not to be.
     * @param {string[]} names
     */
    of(names) {
      const missing = error ? [] : names.filter((name) => !found.has(name) && !asked.has(name));
      for (const name of missing) asked.add(name);
      if (missing.length) fetchAll(missing);
      return { found, error, ready: names.every((name) => found.has(name)) };
    },
    /** Asks again for what could not be read. */
    retry() {
      error = "";
      for (const name of asked) if (!found.has(name)) asked.delete(name);
      onChange();
    },
  };
}
