import assert from "node:assert/strict";
import { test } from "node:test";
import { appBase } from "../../../../ui/session_view/js/dom/streamlit_page.js";

class Script {
  constructor(src) {
    this.src = src;
  }
}

function page(src, { origin = "http://here:1", protocol = "http:" } = {}) {
  globalThis.HTMLScriptElement = Script;
  const script = src && new Script(src);
  return { querySelector: () => script, baseURI: "http://here:1/lab/", location: { origin, protocol, host: "here:1" } };
}

test("the base path is where Streamlit's own script stands, if it is this server's", () => {
  assert.equal(appBase(page("http://here:1/lab/static/js/index.js")), "/lab/");
  assert.equal(appBase(page("../static/js/index.js")), "/");
  assert.equal(appBase(page("http://elsewhere/lab/static/js/index.js")), "/");
  assert.equal(appBase(page(null)), "/");
});
