import assert from "node:assert/strict";
import { parseJson } from "../../../../ui/browser/js/json.js";
import { test } from "node:test";
import {
  argumentsLine,
  clip,
  count,
  duration,
  fileSize,
  imageUrl,
  kindWord,
  oneLine,
  plural,
  pretty,
  responseLine,
  shortenData,
  stateImage,
} from "../../../../ui/session_view/js/words/format.js";

test("durations", () => {
  assert.deepEqual([0, 0.0083, 0.9996, 1.26, 59.97, 125, null].map(duration), [
    "0 ms",
    "8 ms",
    "1.0 s",
    "1.3 s",
    "1 min 00 s",
    "2 min 05 s",
    "",
  ]);
  assert.deepEqual([3599, 3600, 12345, 172800, 190000].map(duration), [
    "59 min 59 s",
    "1 h 00 min",
    "3 h 26 min",
    "2 days 0 h",
    "2 days 5 h",
  ]);
});

test("sizes of files", () => {
  assert.deepEqual([0, null, 512, 98_000_000, 1_117_320_736, 12_400_000_000].map(fileSize), [
    "",
    "",
    "512 bytes",
    "98 MB",
    "1.1 GB",
    "12 GB",
  ]);
});

test("numbers of things", () => {
  assert.deepEqual([plural(1, "event"), plural(10000, "event")], ["1 event", "10,000 events"]);
});

test("calls and answers on one line", () => {
  assert.equal(
    argumentsLine({ count: 7, colour: "yellow", deep: { a: [1] } }),
    'count: 7, colour: "yellow", deep: {"a":[1]}',
  );
  assert.equal(argumentsLine(undefined), "");
  assert.equal(responseLine({ result: "a\n b" }), "a b");
  assert.equal(responseLine({ result: null }), "");
  assert.equal(responseLine({ hits: 2, result: 1 }), "hits: 2, result: 1");
  assert.ok(oneLine({ text: "x".repeat(500) }, 40).length <= 41);
});

test("a cut never splits a character", () => {
  assert.equal(clip("ab🙂cd", 3), "ab…");
  assert.equal(clip("ab", 3), "ab");
});

test("pictures: our types only, both base64 alphabets, nothing else in the URL", () => {
  assert.equal(imageUrl("image/png", "ab-_c=="), "data:image/png;base64,ab+/c==");
  assert.equal(imageUrl("image/svg+xml", "PHN2Zz4="), null);
  assert.equal(imageUrl("text/html", "abc"), null);
  assert.equal(imageUrl("image/png", 'abc" onerror="x'), null);
  assert.equal(imageUrl("image/png", undefined), null);
  assert.equal(stateImage("data:image/jpeg;base64,abcd"), "data:image/jpeg;base64,abcd");
  assert.equal(stateImage("data:image/svg+xml;base64,abcd"), null);
  assert.equal(stateImage("https://example.org/a.png"), null);
  assert.equal(stateImage(7), null);
});

test("encoded data is named, words are kept", () => {
  const words = "long text ".repeat(100);
  assert.equal(shortenData("text", words), words);
  assert.match(shortenData("data", "QUJD".repeat(500)), /^(QUJD)+… \(2,000 characters\)$/);
  assert.equal(pretty({ a: 1 }), '{\n  "a": 1\n}');
  assert.equal(pretty("as it is"), "as it is");
});

test("kinds in a word", () => {
  assert.deepEqual([kindWord("LoopAgent", "LoopAgent"), kindWord("BaseAgent", "StatusChecker"), kindWord("BaseAgent", "")], [
    "loop",
    "code · StatusChecker",
    "code",
  ]);
});

test("numbers of users keep every digit wherever they are read", () => {
  const value = parseJson('{"account":1234567890123456789,"amount":5.0}');
  assert.equal(argumentsLine(value), "account: 1234567890123456789, amount: 5.0");
  assert.equal(responseLine({ result: value.amount }), "5.0");
  assert.equal(pretty(value), '{\n  "account": 1234567890123456789,\n  "amount": 5.0\n}');
  assert.equal(count(parseJson("9007199254740993")), "9,007,199,254,740,993");
});
