import assert from "node:assert/strict";
import { test } from "node:test";
import { appBase } from "../../../../ui/browser/js/streamlit_page.js";
import { Script, servedPage } from "../../js/served_page.mjs";

globalThis.HTMLScriptElement = Script;

test("the base path is where Streamlit's own script stands, if it is this server's", () => {
  assert.equal(appBase(servedPage("http://here:1/lab/static/js/index.js")), "/lab/");
  assert.equal(appBase(servedPage("../static/js/index.js")), "/");
  assert.equal(appBase(servedPage("http://elsewhere/lab/static/js/index.js")), "/");
  assert.equal(appBase(servedPage(null)), "/");
});
