import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ExactNumber,
  isNested,
  isObject,
  parseJson,
  readNumber,
  sameJson,
  writeJson,
} from "../../../../ui/browser/js/json.js";

const NUMBERS = [
  "1234567890123456789",
  "-9007199254740993",
  "5.0",
  "-0.0",
  "-0",
  "1e400",
  "1E5",
  "1e-400",
  "0.1000000000000000055",
  "123456789012345678.25",
  "100000000000000000000000",
  "0",
  "7",
  "-1.5",
  "1732514263.1234567",
  `${"9".repeat(900)}`,
];

test("numbers are written as they were read, at any depth", () => {
  const text = `{"list":[${
    NUMBERS.join(",")
  }],"in":{"text":"1.0, \\"2.0\\\\","5.0":[[5.0]]},"alone":1e400,"no":null,"é":"ü"}`;
  assert.equal(writeJson(parseJson(text)), text);
  for (const number of NUMBERS) assert.equal(writeJson(parseJson(number)), number);
});

test("a replacer sees what is no number of ours, and indents", () => {
  const text = writeJson(parseJson('{"a":1.0,"b":"x"}'), (_, held) => (held === "x" ? "y" : held), 2);
  assert.equal(text, '{\n  "a": 1.0,\n  "b": "y"\n}');
});

test("what is wrong is told as JSON.parse tells it, and a name like __proto__ is a name", () => {
  for (const wrong of ["{", '{"a":"1.0', "01", "1.0.0", '"\\']) assert.throws(() => parseJson(wrong), SyntaxError);
  const read = parseJson('{"__proto__":5.0}');
  assert.equal(writeJson(read), '{"__proto__":5.0}');
  assert.equal(Object.getPrototypeOf(read), Object.prototype);
});

test("a text that looks like a number that is kept is a text", () => {
  const mark = JSON.parse(JSON.stringify(new ExactNumber("")));
  assert.equal(writeJson(["number-x:1.0", "1.0"]), '["number-x:1.0","1.0"]');
  assert.ok(mark.length > 10);
});

test("of a record of ours only values of others are kept as written, and digits that would be lost", () => {
  const { seq, body } = parseJson('{"seq":3,"body":{"timestamp":5.0,"count":9007199254740993,"args":{"n":[5.0,3]}}}', true);
  assert.deepEqual([seq, body.timestamp, body.args.n[1]], [3, 5, 3]);
  assert.equal(body.args.n[0] instanceof ExactNumber, true);
  assert.equal(String(body.count), "9007199254740993");
});

test("an exact number counts as one, and is written by all that writes JSON and text", () => {
  const five = parseJson("5.0");
  assert.equal(five + 1, 6);
  assert.equal(`${five}`, "5.0");
  assert.equal(sameJson(five, parseJson("5.0")), true);
  assert.equal(sameJson(five, 5), false);
});

test("a typed number is one that JSON has", () => {
  const read = (text) => writeJson(readNumber(text));
  assert.deepEqual(["1234567890123456789", " 5.0 ", "-0", "12.50", "7"].map(read), [
    "1234567890123456789",
    "5.0",
    "-0",
    "12.50",
    "7",
  ]);
  for (const other of ["", " ", "abc", "Infinity", "1e999", "0x1", "01", ".5", "1,5", "1 2"]) {
    assert.equal(readNumber(other), null);
  }
});

test("an object is told from all else that JSON has", () => {
  for (const object of [{}, { a: null }]) assert.equal(isObject(object), true);
  for (const other of [null, undefined, [], [{}], "{}", "", 0, true, parseJson("5.0")]) assert.equal(isObject(other), false);
  assert.deepEqual([isNested([]), isNested({}), isNested(parseJson("5.0")), isNested(null)], [true, true, false, false]);
});
