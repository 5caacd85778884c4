import assert from "node:assert/strict";
import { test } from "node:test";
import { artifactsOf, plainName } from "../../../../ui/session_view/js/words/artifacts.js";

test("files of an event, and how they look", () => {
  assert.deepEqual(
    artifactsOf({ artifact_delta: { "a.PNG": 0, "notes.md": 2, "user:logo": 1, "x.svg": 0 } }).map(({ version, look }) =>
      `${version} ${look}`
    ),
    ["0 picture", "2 file", "1 unknown", "0 file"],
  );
  assert.deepEqual(artifactsOf(undefined), []);
});

test("a file is saved under its own name", () => {
  assert.deepEqual(["user:a.png", "dir/b.md", "c\\d.md", ""].map(plainName), ["a.png", "b.md", "d.md", "file"]);
});
