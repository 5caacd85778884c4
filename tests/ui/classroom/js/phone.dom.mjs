import phone from "../../../../ui/classroom/js/phone.js";
import { all, equal, root, test, textOf } from "../../js/stage.mjs";

const TEXT = "speed = distance / time";

/** Opens the page, and returns what shows it a view of the class. */
function opened() {
  let socket;
  globalThis.WebSocket = class {
    constructor() {
      socket = this;
    }
  };
  phone(root());
  return (more) => {
    const view = { type: "phone", joined: true, name: "Ana", right: 0, answered: 0, ...more };
    socket.onmessage({ data: JSON.stringify(view) });
  };
}

function book(...ids) {
  return {
    name: "class 1",
    bullets: ids.map((id) => ({
      id,
      text: `${id}: ${TEXT}`,
      off: false,
      by: "",
      authors: ["Ben"],
      lineage: ["Ben wrote it"],
    })),
  };
}

test("who writes a bullet goes on writing while others add theirs", () => {
  const show = opened();
  show({ book: book("b-1") });
  const field = all(root(), "textarea").at(-1);
  field.focus();
  field.value = "work = ";
  show({ book: book("b-1", "b-2") });
  equal(all(root(), ".bullet .text").map(textOf), [`b-1: ${TEXT}`, `b-2: ${TEXT}`]);
  equal([root().activeElement === field, field.value], [true, "work = "]);
});

test("a lineage that is read stays open while others write", async () => {
  const show = opened();
  show({ book: book("b-1") });
  const toggled = new Promise((resolve) => all(root(), "details")[0].addEventListener("toggle", resolve, { once: true }));
  all(root(), "summary")[0].click();
  await toggled;
  show({ book: book("b-0", "b-1") });
  equal(all(root(), "details").map(({ open }) => open), [false, true]);
});
