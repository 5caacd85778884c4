import collectionList from "../../../../ui/sessions/list/js/component.js";
import { all, equal, root, test, until } from "../../js/stage.mjs";
import { answer, row, serve } from "./rows.mjs";

test("one list per place: a newer call updates it, a clean-up that none follows ends it", async () => {
  const { stop } = serve(() => answer([row("s1")]));
  const parentElement = root();
  const data = { version: 0, pipelines: [] };
  const call = () => collectionList({ parentElement, data, setTriggerValue: () => {} });
  const first = call();
  const second = call();
  first();
  await until(() => all(parentElement, ".row").length === 1);
  equal(all(parentElement, ".collection").length, 1);
  second();
  await until(() => all(parentElement, ".collection").length === 0);
  stop();
});
