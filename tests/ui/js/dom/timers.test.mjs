import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { createPainter, createThrottle } from "../../../../ui/session_view/js/dom/timers.js";

test("a frame is painted once, however often it is asked for", () => {
  const frames = [];
  globalThis.requestAnimationFrame = (act) => frames.push(act);
  globalThis.cancelAnimationFrame = (id) => (frames[id - 1] = () => {});
  let painted = 0;
  const painter = createPainter(() => (painted += 1));
  painter.ask();
  painter.ask();
  assert.equal(frames.length, 1);
  frames[0]();
  assert.equal(painted, 1);
  painter.ask();
  painter.stop();
  frames[1]();
  assert.equal(painted, 1);
});

test("a throttle acts once in a while, the last wish included", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  let acted = 0;
  const throttle = createThrottle(() => (acted += 1), 100);
  throttle.ask();
  throttle.ask();
  mock.timers.tick(99);
  assert.equal(acted, 0);
  mock.timers.tick(1);
  assert.equal(acted, 1);
  throttle.ask();
  throttle.stop();
  mock.timers.tick(500);
  assert.equal(acted, 1);
});
