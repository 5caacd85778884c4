import assert from "node:assert/strict";
import { test } from "node:test";
import { writeJson } from "../../../../ui/browser/js/json.js";
import { artifactUrl, lessonPage, playbookPage, sessionPage, settingsPage } from "../../../../ui/sharing/js/addresses.js";
import { openFeed } from "../../../../ui/sharing/js/feed.js";
import { fileKey, recorded } from "../../../../ui/sharing/js/recorded.js";
import { getBullets, getTexts } from "../../../../ui/sharing/js/server.js";

const entries = [{ seq: 1, kind: "session_created" }, { seq: 2, kind: "event" }, { seq: 3, kind: "event" }];
const bullets = ["a-1", "a-2"].map((id) => ({ id, content: id }));
const data = {
  tree: { name: "Root" },
  entries,
  playbooks: { ace: { bullets, revisions: { 3: { all: [0], more: 7 }, 12: { all: [0, 1], more: 0 } } } },
  texts: { h1: "You are Writer." },
  files: { "2/a b.png": "data:image/png;base64,AA==" },
};
const numbers = '{"account":1234567890123456789,"amount":5.0}';
const page = JSON.stringify(data).replace('"kind":"event"', `"kind":"event","args":${numbers}`);
globalThis.document = { getElementById: (id) => ({ textContent: id === "recorded" ? page : "" }) };

test("the page's data is read once, and numbers of users keep every digit", () => {
  const { entries: [first, second, third], ...rest } = recorded();
  const { args, ...event } = second;
  assert.deepEqual({ ...rest, entries: [first, event, third] }, data);
  assert.equal(writeJson(args), numbers);
  assert.equal(recorded(), recorded());
});

test("the log comes at once, in the frames of the server, and nothing after it was closed", async () => {
  const told = [];
  const options = { after: () => 1, onMessage: (frame) => told.push(frame), onState: (link) => told.push(link) };
  openFeed(options);
  openFeed(options).close();
  assert.deepEqual(told, []);
  await Promise.resolve();
  assert.deepEqual(told, [
    "open",
    { type: "hello", session: { events: 2 }, tree: data.tree },
    { type: "log", entries: recorded().entries.slice(1), more: false },
  ]);
});

test("bullets at a revision, at the newest, and by id", async () => {
  assert.deepEqual(await getBullets({ playbook: "ace", revision: 3 }), { bullets: bullets.slice(0, 1), more: 7 });
  assert.deepEqual(await getBullets({ playbook: "ace", revision: null }), { bullets, more: 0 });
  assert.deepEqual(await getBullets({ playbook: "ace", revision: 12, ids: ["a-2", "gone"] }), {
    bullets: bullets.slice(1),
    more: 0,
  });
});

test("texts by hash, as far as the page holds them", async () => {
  assert.deepEqual(await getTexts(["h1", "h2"]), { h1: "You are Writer." });
});

test("what the page does not hold is said", async () => {
  await assert.rejects(getBullets({ playbook: "ace", revision: 5 }), /does not hold revision 5 of the playbook ace/);
  await assert.rejects(getBullets({ playbook: "other", revision: null }), /does not hold/);
});

test("files have the address that holds them, and pages of the app have none", () => {
  assert.equal(fileKey({ name: "a b.png", version: 2 }), "2/a b.png");
  assert.equal(artifactUrl("/", { name: "a b.png", version: 2 }), "data:image/png;base64,AA==");
  assert.equal(artifactUrl("/", { name: "a b.png", version: 3 }), null);
  assert.deepEqual([settingsPage(), lessonPage(), sessionPage(), playbookPage()], [null, null, null, null]);
});
