import sessionList from "../../../ui/session_list/js/component.js";
import { all, equal, root, test, until } from "../js/stage.mjs";
import { answer, row as found, serve } from "./found_rows.mjs";
import { page, row } from "./rows.mjs";

const LISTS = [".session-list.compact", ".session-list.full"];

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
  equal([...LISTS, ".row"].map((name) => all(parentElement, name).length), [1, 0, 2]);
  second();
  await until(() => all(parentElement, ".session-list").length === 0);
  globalThis.WebSocket = RealSocket;
});

test("the page says which look it has", async () => {
  const { stop } = serve(() => answer([found("s1")]));
  const parentElement = root();
  const data = { look: "full", version: 0, pipelines: [] };
  const close = sessionList({ parentElement, data, setTriggerValue: () => {} });
  await until(() => all(parentElement, ".row input").length === 1);
  equal(LISTS.map((name) => all(parentElement, name).length), [0, 1]);
  close();
  await until(() => all(parentElement, ".session-list").length === 0);
  stop();
});
