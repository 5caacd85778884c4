import exports from "../../../../ui/sharing/js/export.js";
import { all, equal, root, test } from "../../js/stage.mjs";

const scope = (name, empty = false) => ({ name, label: name, about: "", empty });
const data = {
  pipeline: "p",
  session: "a&b",
  scopes: [scope("session"), { ...scope("user", true), about: "<img src=x onerror=alert(1)>" }],
  formats: [{ name: "html", title: "Page", about: "" }, { name: "adk", title: "ADK", about: "" }],
};
const targets = (parent) => all(parent, "a").map((link) => link.getAttribute("href"));

test("a choice is in the links as soon as it is made, and another call keeps it", () => {
  const parentElement = root();
  exports({ parentElement, data });
  const place = "/api/export?pipeline=p&session=a%26b&format=";
  equal(targets(parentElement), [`${place}html&scope=session&scope=user`, `${place}adk&scope=session&scope=user`]);
  all(parentElement, "label")[0].click();
  equal(targets(parentElement), [`${place}html&scope=user`, `${place}adk&scope=user`]);
  exports({ parentElement, data: structuredClone(data) });
  equal(targets(parentElement)[0], `${place}html&scope=user`);
  equal(all(parentElement, "img").length, 0);
  equal(all(parentElement, "input").map(({ disabled }) => disabled), [false, true]);
});

test("another session begins with all of it", () => {
  const parentElement = root();
  exports({ parentElement, data });
  all(parentElement, "label")[0].click();
  exports({ parentElement, data: { ...data, session: "c" } });
  equal([all(parentElement, "form").length, targets(parentElement)[0]], [
    1,
    "/api/export?pipeline=p&session=c&format=html&scope=session&scope=user",
  ]);
});
