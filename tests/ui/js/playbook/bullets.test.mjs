import assert from "node:assert/strict";
import { test } from "node:test";
import { bulletsUrl, createBullets } from "../../../../ui/session_view/js/playbook/bullets.js";

const PLACE = { playbook: "ace", revision: 3 };

function shelf(
  answer = ({ ids }) => ({
    bullets: (ids ?? ["a", "b"]).filter((id) => id !== "gone").map((id) => ({
      id,
      content: `text of ${id}`,
      archived: id === "b",
    })),
    more: 0,
  }),
) {
  const asked = [];
  let changes = 0;
  const bullets = createBullets({
    get: (place) => (asked.push(place), Promise.resolve().then(() => answer(place))),
    onChange: () => (changes += 1),
  });
  return { bullets, asked, changes: () => changes };
}

test("where bullets are", () => {
  assert.equal(
    bulletsUrl("/x/", { ...PLACE, ids: ["a-1", "b-2"] }),
    "/x/api/playbook?playbook=ace&revision=3&ids=a-1%2Cb-2",
  );
  assert.equal(bulletsUrl("/", { playbook: "a & b", revision: null }), "/api/playbook?playbook=a+%26+b");
});

test("a bullet is asked for once, is unknown until it comes, and null where there is none", async () => {
  const { bullets, asked, changes } = shelf();
  const first = bullets.of(PLACE, ["a", "gone"]);
  assert.deepEqual([first.found.get("a"), first.error], [undefined, ""]);
  bullets.of(PLACE, ["a"]);
  await first.ready;
  const { found } = bullets.of(PLACE, ["a", "gone", "c"]);
  assert.deepEqual([found.get("a").content, found.get("gone"), found.get("c")], ["text of a", null, undefined]);
  assert.deepEqual(asked.map(({ ids }) => ids), [["a", "gone"], ["c"]]);
  assert.equal(changes(), 1);
});

test("what is ready was asked for by whoever asked first", async () => {
  const { bullets } = shelf();
  bullets.of(PLACE, ["a"]);
  await bullets.of(PLACE, ["a"]).ready;
  assert.equal(bullets.of(PLACE, ["a"]).found.get("a").content, "text of a");
});

test("revisions are kept apart, and so is what is asked for under another mark", async () => {
  const { bullets, asked } = shelf();
  await Promise.all([
    bullets.of(PLACE, ["a"]).ready,
    bullets.of({ ...PLACE, revision: 4 }, ["a"]).ready,
    bullets.of({ playbook: "ace", revision: null, mark: "call" }, ["a"]).ready,
    bullets.of({ playbook: "ace", revision: null, mark: "other" }, ["a"]).ready,
  ]);
  assert.deepEqual(asked.map(({ revision }) => revision), [3, 4, null, null]);
  assert.ok(asked.every((place) => !("mark" in place)));
});

test("many are asked for in parts", async () => {
  const { bullets, asked } = shelf();
  await bullets.of(PLACE, Array.from({ length: 900 }, (_, i) => `x-${i}`)).ready;
  assert.deepEqual(asked.map(({ ids }) => ids.length), [400, 400, 100]);
});

test("all of a playbook that is in prompts, and how many there are beyond", async () => {
  const { bullets, asked } = shelf();
  assert.equal(bullets.all(PLACE), null);
  assert.equal(bullets.all(PLACE), null);
  await new Promise(setImmediate);
  assert.deepEqual(bullets.all(PLACE), { ids: ["a"], more: 0 });
  assert.equal(asked.length, 1);
  assert.ok(!("ids" in asked[0]));
  assert.equal(bullets.of(PLACE, ["a"]).found.get("a").content, "text of a");
});

test("what cannot be read says why, is not asked for over and over, and can be tried again", async () => {
  let broken = true;
  const { bullets, asked } = shelf(() => {
    if (broken) throw new Error("There is no such revision.");
    return { bullets: [{ id: "a", content: "x" }], more: 0 };
  });
  await bullets.of(PLACE, ["a"]).ready;
  assert.equal(bullets.of(PLACE, ["a"]).error, "There is no such revision.");
  assert.equal(bullets.all(PLACE), null);
  assert.equal(asked.length, 1);
  broken = false;
  bullets.retry(PLACE);
  await bullets.of(PLACE, ["a"]).ready;
  assert.deepEqual([bullets.of(PLACE, ["a"]).error, bullets.of(PLACE, ["a"]).found.get("a").content], ["", "x"]);
  bullets.clear();
  assert.equal(bullets.of(PLACE, ["a"]).found.get("a"), undefined);
});
