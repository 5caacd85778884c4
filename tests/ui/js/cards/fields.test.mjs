import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldsOf, readAnswer, readFields } from "../../../../ui/session_view/js/cards/fields.js";

test("a field for each type, and what is not touched comes back as it was", () => {
  const values = { to: "x", why: "a\nb", n: -1.5, yes: true, no: false, none: null, list: [1, { a: "é" }], object: {} };
  const fields = fieldsOf(values);
  assert.deepEqual(fields.map(({ kind }) => kind), ["text", "long", "number", "boolean", "boolean", "json", "json", "json"]);
  assert.deepEqual(readFields(fields), { values, errors: {} });
});

test("what is typed is read by its type, and what cannot be is said", () => {
  const read = (kind, held) => readFields([{ name: "x", kind, held }]);
  assert.deepEqual(read("number", " 12.50 ").values, { x: 12.5 });
  assert.deepEqual(read("text", "12").values, { x: "12" });
  assert.deepEqual(read("json", "[1, 2]").values, { x: [1, 2] });
  assert.deepEqual(read("boolean", false).values, { x: false });
  for (const held of ["", "  ", "abc", "Infinity", "1e999"]) assert.match(read("number", held).errors.x, /number/);
  assert.match(read("json", "{a: 1}").errors.x, /not JSON/);
  assert.deepEqual(read("json", "{").values, {});
});

test("an answer: text, a number or JSON becomes a result, an object is taken as it is", () => {
  const said = (text) => readAnswer(text).response;
  assert.deepEqual(said("  four weeks "), { result: "four weeks" });
  assert.deepEqual(said("4711"), { result: 4711 });
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
