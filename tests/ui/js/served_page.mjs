/** A document of the app as Streamlit serves it, as far as addresses are found in it. */

/** Streamlit's script; a test that is no browser's calls this class `HTMLScriptElement`. */
export class Script {
  constructor(src) {
    this.src = src;
  }
}

/** The document, with Streamlit's script at `src`; null for none. */
export function servedPage(src, { origin = "http://here:1", protocol = "http:" } = {}) {
  const script = src && new Script(src);
  return { querySelector: () => script, baseURI: "http://here:1/lab/", location: { origin, protocol, host: "here:1" } };
}
