import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { openFeed } from "../../../../ui/session_list/js/compact/feed.js";
import { openPage, page } from "../../js/fake_sockets.mjs";

beforeEach(openPage);

test("it tells what comes and how often in a row it failed; an error is no success", () => {
  const seen = { frames: [], lost: [] };
  const close = openFeed({ pipeline: "p", words: "tea & cake", limit: 100 }, {
    onFrame: (frame) => seen.frames.push(frame.type),
    onLost: (failures) => seen.lost.push(failures),
  });
  assert.equal(page.sockets[0].url.href, "ws://here:1/api/sessions?pipeline=p&words=tea+%26+cake&limit=100");
  page.sockets[0].onclose();
  mock.timers.tick(250);
  page.sockets[1].say({ type: "error", message: "locked" });
  page.sockets[1].onclose();
  mock.timers.tick(500);
  page.sockets[2].say({ type: "list", rows: [] });
  page.sockets[2].onclose();
  mock.timers.tick(250);
  assert.deepEqual(seen, { frames: ["error", "list"], lost: [1, 2, 1] });
  close();
  assert.ok(page.sockets[3].closed);
});
