// @ts-check
/** The code of a session, asked for when it is looked at, and again once the session has another run. */

/** @import { Code, CodePlace } from "./types.d.ts" */
/** @typedef {ReturnType<typeof createCodes>} Codes */

/**
 * @param {object} source
 * @param {(place: CodePlace) => Promise<Code>} source.get asks the server
 * @param {() => void} source.onChange called when what was asked for has come, or failed
 */
export function createCodes({ get, onChange }) {
  let asked = "";
  let session = "";
  /** @type {Code | null} */
  let code = null;
  let error = "";

  /**
   * @param {CodePlace} place
   * @param {string} key
   */
  async function fetchCode(place, key) {
    const found = await get(place).then((code) => ({ code, error: "" }), (problem) => ({
      code: null,
      error: problem instanceof Error ? problem.message : String(problem),
    }));
    if (key !== asked) return; // another session is looked at, or it has another run
    ({ code, error } = found);
    onChange();
  }

  return {
    /**
     * The code of a session; while a newer one is on its way, the one before.
     * @param {CodePlace} place
     */
    of(place) {
      const key = JSON.stringify([place.pipeline, place.session, place.runs]);
      const other = JSON.stringify([place.pipeline, place.session]);
      if (key !== asked) {
        if (other !== session) code = null;
        [asked, session, error] = [key, other, ""];
        fetchCode(place, key);
      }
      return { code, error };
    },
    /** Asks again for what could not be read. */
    retry() {
      asked = "";
      onChange();
    },
  };
}
