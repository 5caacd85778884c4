import assert from "node:assert/strict";
import { test } from "node:test";
import { codeIn, queriesOf, sourcesOf, webLink } from "../../../../ui/session_view/js/words/sources.js";

const grounded = (...chunks) => ({ grounding_metadata: { grounding_chunks: chunks, web_search_queries: ["moon", "", 5] } });

test("sources have a title and an address, each once, and pages that were read are among them", () => {
  const body = {
    ...grounded(
      { web: { uri: "https://a.org/x", title: "A" } },
      { web: { uri: "https://a.org/x", title: "again" } },
      { web: { title: "no address" } },
      {},
      null,
    ),
    url_context_metadata: {
      url_metadata: [{ retrieved_url: "https://b.org/" }, {
        retrieved_url: "https://c.org/",
        url_retrieval_status: "URL_RETRIEVAL_STATUS_ERROR",
      }],
    },
  };
  assert.deepEqual(sourcesOf(body), [
    { title: "A", address: "https://a.org/x", link: "https://a.org/x" },
    { title: "no address", address: "", link: null },
    { title: "https://b.org/", address: "https://b.org/", link: "https://b.org/" },
    { title: "could not be read", address: "https://c.org/", link: "https://c.org/" },
  ]);
  assert.deepEqual(queriesOf(body), ["moon"]);
  assert.deepEqual([sourcesOf({}), queriesOf({})], [[], []]);
});

test("only addresses of the web can be opened", () => {
  for (
    const address of [
      "javascript:alert(1)",
      "JavaScript:alert(1)",
      " data:text/html,x",
      "file:///etc/passwd",
      "//a.org",
      "a.org",
      "",
      "https://a.org@evil.org/",
      "https://u:p@a.org/",
      "vbscript:x",
      "blob:https://a.org/1",
    ]
  ) {
    assert.equal(webLink(address), null, address);
    assert.equal(sourcesOf(grounded({ web: { uri: address, title: "t" } }))[0].link, null);
  }
  assert.equal(webLink("http://a.org/ä"), "http://a.org/%C3%A4");
});

test("at most fifty sources, and no text that is none", () => {
  const many = Array.from({ length: 500 }, (_, n) => ({ web: { uri: `https://a.org/${n}`, title: { evil: true } } }));
  const found = sourcesOf(grounded(...many));
  assert.equal(found.length, 50);
  assert.equal(found[0].title, "https://a.org/0");
});

test("code and what it printed", () => {
  assert.deepEqual(codeIn({ executable_code: { code: "print(1)", language: "PYTHON" } }), {
    kind: "code",
    text: "print(1)",
    failed: false,
  });
  assert.deepEqual(codeIn({ code_execution_result: { outcome: "OUTCOME_OK", output: "1\n" } }), {
    kind: "output",
    text: "1\n",
    failed: false,
  });
  assert.deepEqual(codeIn({ code_execution_result: { outcome: "OUTCOME_FAILED" } }), {
    kind: "output",
    text: "",
    failed: true,
  });
  assert.equal(codeIn({ text: "x" }), null);
});
