import { drawCodeTab } from "../../../../../ui/session_view/js/inspector/tabs/code_tab.js";
import { entry, event, startAt } from "../../log_entries.mjs";
import { lookAt } from "../../look.mjs";
import { all, equal, ok, show, test, textOf } from "../../stage.mjs";

const CODE = {
  pipeline: "writing",
  playground: 'TEXT = "<b>日本</b>"\n# a comment\nimport asyncio\n',
  playground_lacks: [],
  adk: "",
  adk_lacks: ["Chooser is a <b>RoutedAgent</b>.", "Other has no name."],
};

function stage({ code = CODE, error = "", open = [], place = { pipeline: "writing", session: "s" } } = {}) {
  startAt();
  const asked = [];
  const entries = [entry("run_started"), event("user", "go"), entry("run_started")];
  const look = lookAt(entries, { open, place });
  look.codes = { of: (of) => (asked.push(of), { code, error }), retry: () => asked.push("retry") };
  return { look, asked, view: show(drawCodeTab(look)) };
}

const choices = (view) => all(view, ".choice").map((one) => [textOf(one), one.getAttribute("aria-pressed")]);

test("the code is text, with its lines counted, and is asked for by the runs of the session", () => {
  const { view, asked } = stage();
  equal(asked, [{ pipeline: "writing", session: "s", runs: 2 }]);
  equal(view.querySelector("pre").textContent, CODE.playground);
  equal(all(view, "pre b").length, 0);
  equal([...new Set(all(view, "pre span").map((one) => one.className))], ["string", "comment", "keyword"]);
  equal(textOf(view.querySelector(".code-actions .quiet")), "3 lines");
  equal(view.querySelector("pre").tabIndex, 0);
});

test("the other API is a press away, and says what it lacks", () => {
  const { view, look } = stage();
  equal(choices(view), [["This playground", "true"], ["google-adk", "false"]]);
  all(view, ".choice").forEach((one) => one.click());
  equal(look.asked, [["toggle", "code:adk"]]);
  const other = stage({ open: ["code:adk"] });
  equal(choices(other.view).map(([, on]) => on), ["false", "true"]);
  equal(all(other.view, ".lacks li").map(textOf), CODE.adk_lacks);
  equal(all(other.view, "pre, .lacks b").length, 0);
});

test("a file is downloaded under the pipeline's name", () => {
  const clicked = [];
  const real = HTMLAnchorElement.prototype.click;
  HTMLAnchorElement.prototype.click = function () {
    clicked.push([this.download, this.href.startsWith("blob:")]);
  };
  try {
    const code = { ...CODE, adk: "import google\n" };
    for (const open of [[], ["code:adk"]]) {
      const { view } = stage({ code, open });
      all(view, ".code-actions button").at(-1).click();
    }
  } finally {
    HTMLAnchorElement.prototype.click = real;
  }
  equal(clicked, [["writing.py", true], ["writing_adk.py", true]]);
});

test("without a session the tab says what will be there; on its way, that it is; and an error is tried again", () => {
  ok(textOf(stage({ place: { pipeline: "p", session: null } }).view).startsWith("There is no session yet."));
  equal(textOf(stage({ code: null }).view), "Writing the code …");
  const { view, asked } = stage({ code: null, error: "The pipeline <b>x</b> is gone." });
  equal(textOf(view.querySelector("[role=alert]")), "The pipeline <b>x</b> is gone. Try again");
  view.querySelector("button").click();
  equal(asked.at(-1), "retry");
});

test("long code is drawn once, plain, while a run goes on", () => {
  const code = { ...CODE, playground: `X = "${"x".repeat(100_000)}"\n${"y = 1\n".repeat(20_000)}` };
  const { look, view } = stage({ code });
  const box = view.querySelector("pre");
  equal([box.textContent.length, all(box, "span").length], [code.playground.length, 0]);
  const again = drawCodeTab(look);
  ok(again.flat(3).includes(box));
});
