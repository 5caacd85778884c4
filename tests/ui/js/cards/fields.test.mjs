import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldsOf, readAnswer, readEdits } from "../../../../ui/session_view/js/cards/fields.js";
import { parseJson, writeJson } from "../../../../ui/browser/js/json.js";

test("a field for each type, and what is not edited is not sent", () => {
  const values = { to: "x", why: "a\nb", n: -1.5, yes: true, no: false, none: null, list: [1, { a: "é" }], object: {} };
  const fields = fieldsOf(values);
  assert.deepEqual(fields.map(({ kind }) => kind), ["text", "long", "number", "boolean", "boolean", "json", "json", "json"]);
  assert.deepEqual(readEdits(fields), { values: {}, errors: {} });
});

test("what is typed is read by its type, and what cannot be is said", () => {
  const read = (kind, held) => readEdits([{ name: "x", kind, was: kind === "json" ? "0" : "?", held }]);
  assert.equal(writeJson(read("number", " 12.50 ").values), '{"x":12.50}');
  assert.deepEqual(read("text", "12").values, { x: "12" });
  assert.deepEqual(read("json", "[1, 2]").values, { x: [1, 2] });
  assert.deepEqual(read("boolean", false).values, { x: false });
  for (const held of ["", "  ", "abc", "Infinity", "1e999"]) assert.match(read("number", held).errors.x, /number/);
  assert.match(read("json", "{a: 1}").errors.x, /not JSON/);
  assert.deepEqual(read("json", "{").values, {});
});

test("only what was edited is sent, and every digit of it", () => {
  const values = parseJson(
    '{"account":1234567890123456789,"amount":5.0,"more":{"n":[1.0,1e400]},"__proto__":"x","why":"a\\r\\nb"}',
  );
  const edit = (name, held) =>
    writeJson(readEdits(fieldsOf(values).map((f) => (f.name === name ? { ...f, held } : f))).values);
  const shown = Object.fromEntries(fieldsOf(values).map(({ name, held }) => [name, held]));
  assert.deepEqual([shown.account, shown.amount], ["1234567890123456789", "5.0"]);
  assert.equal(edit("amount", "6.0"), '{"amount":6.0}');
  assert.equal(edit("account", "1234567890123456780"), '{"account":1234567890123456780}');
  assert.equal(edit("more", '{"n": [1.0, 1e400]}'), "{}");
  assert.equal(edit("more", '{"n": [2.0, 1234567890123456789]}'), '{"more":{"n":[2.0,1234567890123456789]}}');
  assert.equal(edit("__proto__", "y"), '{"__proto__":"y"}');
  assert.equal(edit("why", "a\nb\nc"), '{"why":"a\\r\\nb\\r\\nc"}');
});

test("an answer: text, a number or JSON becomes a result, an object is taken as it is", () => {
  const said = (text) => readAnswer(text).response;
  assert.deepEqual(said("  four weeks "), { result: "four weeks" });
  assert.deepEqual(said("4711"), { result: 4711 });
  assert.equal(writeJson(said("1234567890123456789")), '{"result":1234567890123456789}');
  assert.equal(writeJson(said('{"a": 5.0}')), '{"a":5.0}');
  assert.deepEqual(said("true"), { result: true });
  assert.deepEqual(said('{"a": 1}'), { a: 1 });
  assert.deepEqual(said("[1, 2]"), { result: [1, 2] });
  assert.deepEqual(said('"quoted"'), { result: "quoted" });
  assert.deepEqual(said("[sic] as it was"), { result: "[sic] as it was" });
});

test("an empty answer, and an object that breaks off, are told", () => {
  assert.match(readAnswer("  ").error, /Type an answer/);
  assert.match(readAnswer('{"a": ').error, /not JSON/);
});
