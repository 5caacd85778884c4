import sessionList from "../../../ui/session_list/js/component.js";
import { all, equal, root, test, until } from "../js/stage.mjs";
import { page, row } from "./rows.mjs";

class FakeSocket {
  close() {}
}

test("one list per place: a newer call updates it, a clean-up that none follows ends it", async () => {
  const RealSocket = globalThis.WebSocket;
  globalThis.WebSocket = FakeSocket;
  const parentElement = root();
  const call = (rows) => sessionList({ parentElement, data: page(rows), setTriggerValue: () => {} });
  const first = call([row("s1")]);
  const second = call([row("s1"), row("s2")]);
  first();
  equal([all(parentElement, ".session-list").length, all(parentElement, ".row").length], [1, 2]);
  second();
  await until(() => all(parentElement, ".session-list").length === 0);
  globalThis.WebSocket = RealSocket;
});
