import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { mounted } from "../../../../ui/browser/js/mount.js";

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

function stage() {
  const done = [];
  let made = 0;
  const draw = mounted(() => {
    const name = ++made;
    return { update: (data, api) => done.push(`${name} ${data} ${api.told}`), close: () => done.push(`${name} closed`) };
  });
  return { done, call: (parentElement, data) => draw({ parentElement, data, told: "x" }) };
}

test("one component per place, which each call updates", () => {
  const { done, call } = stage();
  const [here, there] = [{}, {}];
  call(here, "a");
  call(there, "b");
  call(here, "c");
  assert.deepEqual(done, ["1 a x", "2 b x", "1 c x"]);
});

test("a clean-up that a newer call overtakes does nothing; one that none follows closes, and the next call begins anew", () => {
  const { done, call } = stage();
  const here = {};
  const first = call(here, "a");
  first();
  const second = call(here, "b");
  mock.timers.tick(1000);
  assert.deepEqual(done, ["1 a x", "1 b x"]);
  second();
  mock.timers.tick(1000);
  call(here, "c");
  assert.deepEqual(done.slice(2), ["1 closed", "2 c x"]);
});
