import { drawCode, drawSources } from "../../../../ui/session_view/js/parts/sources.js";
import { all, equal, show, test, textOf } from "../stage.mjs";

const web = (uri, title) => ({ web: { uri, title } });

test("sources are links that open beside the app; an address that is none of the web is text", () => {
  const body = {
    grounding_metadata: {
      web_search_queries: ["lamps"],
      grounding_chunks: [web("https://a.example/x", "A"), web("javascript:alert(1)", "B")],
    },
  };
  const view = show(drawSources(body));
  equal(all(view, "a").map((link) => [link.href, link.target, link.rel, textOf(link)]), [
    ["https://a.example/x", "_blank", "noopener noreferrer", "A"],
  ]);
  equal(textOf(view), "searched for “lamps”A https://a.example/xB javascript:alert(1)");
  equal(drawSources({}), null);
});

test("a click on a source does not select the row", () => {
  let clicked = 0;
  const view = show(drawSources({ grounding_metadata: { grounding_chunks: [web("https://a.example/", "A")] } }));
  view.onclick = () => (clicked += 1);
  const link = view.querySelector("a");
  link.addEventListener("click", (event) => event.preventDefault());
  link.click();
  equal(clicked, 0);
});

test("code that a provider ran, and what it printed", () => {
  const drawn = [
    { executable_code: { code: "1 < 2" } },
    { code_execution_result: { outcome: "OUTCOME_FAILED", output: "" } },
    { text: "x" },
  ].flatMap(drawCode);
  equal(drawn.map((pre) => [textOf(pre), pre.className]), [["1 < 2", "ran code"], ["(nothing)", "ran output failed"]]);
});
