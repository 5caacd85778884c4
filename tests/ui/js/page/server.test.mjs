import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { writeJson } from "../../../../ui/browser/js/json.js";
import { getBullets, getTexts } from "../../../../ui/session_view/js/page/server.js";

const QUERY = { playbook: "ace", revision: 3, ids: ["a"] };

beforeEach(() => {
  globalThis.document = { querySelector: () => null, location: { origin: "http://here" } };
  globalThis.HTMLScriptElement = class {};
});

function answers(answer) {
  const asked = [];
  globalThis.fetch = (url, options) => (asked.push([url, options.credentials]), answer());
  return asked;
}

const said = (status, body) => () => Promise.resolve(new Response(body, { status }));

test("bullets come from the app's own server", async () => {
  const asked = answers(said(200, '{"bullets": [], "more": 2}'));
  assert.deepEqual(await getBullets(QUERY), { bullets: [], more: 2 });
  assert.deepEqual(asked, [["/api/playbook?playbook=ace&revision=3&ids=a", "same-origin"]]);
});

test("an error says what the server says, or that it says nothing", async () => {
  answers(said(404, '{"message": "There is no such playbook."}'));
  await assert.rejects(getBullets(QUERY), { message: "There is no such playbook." });
  answers(said(502, "<html>"));
  await assert.rejects(getBullets(QUERY), { message: "The playbook could not be read: the server answered 502." });
  answers(() => Promise.reject(new TypeError("network")));
  await assert.rejects(getBullets(QUERY), { message: "The playbook could not be read: the server does not answer." });
});

test("texts come by their names, and an error says what could not be read", async () => {
  const asked = answers(said(200, '{"texts": {"a": "A"}}'));
  assert.deepEqual([await getTexts(["a", "b"]), asked[0][0]], [{ a: "A" }, "/api/texts?names=a%2Cb"]);
  answers(said(500, ""));
  await assert.rejects(getTexts(["a"]), { message: "What was sent could not be read: the server answered 500." });
});

test("numbers from the server keep every digit", async () => {
  answers(said(200, '{"bullets": [{"args": {"account": 1234567890123456789, "amount": 5.0}}], "more": 0}'));
  const { bullets } = await getBullets(QUERY);
  assert.equal(writeJson(bullets), '[{"args":{"account":1234567890123456789,"amount":5.0}}]');
});
