import { Search } from "../../../../ui/session_list/js/full/search.js";
import { equal, test, until } from "../../js/stage.mjs";
import { answer, row, serve } from "../found_rows.mjs";

const QUERY = { q: "", pipeline: "", status: "", tag: "" };

function stage(give) {
  const { asked, stop } = serve(give);
  const got = [];
  const search = new Search({
    onAnswer: ({ rows }) => got.push(rows.map(({ id }) => id)),
    onProblem: (said) => got.push(said),
  });
  return { asked, got, search, close: () => (search.close(), stop()) };
}

test("a query names what is set, and how many rows", async () => {
  const { asked, got, search, close } = stage(() => answer([row("s1")]));
  search.look({ ...QUERY, q: "灯台 & more", tag: "good" });
  await until(() => got.length);
  equal(asked.map(({ signal: _, ...query }) => query), [{ q: "灯台 & more", tag: "good", limit: "100" }]);
  search.more();
  await until(() => got.length === 2);
  equal(asked[1].limit, "200");
  search.look(QUERY);
  await until(() => got.length === 3);
  equal(asked[2].limit, "100", "another query begins with the first rows");
  close();
});

test("while somebody types, the last text is asked for", async () => {
  const { asked, got, search, close } = stage(({ q }) => answer([row(q)]));
  for (const q of ["l", "la", "lam"]) search.look({ ...QUERY, q }, { typed: true });
  await until(() => got.length);
  equal([asked.map(({ q }) => q), got], [["lam"], [["lam"]]]);
  close();
});

test("an answer to an earlier question is dropped, however late it comes", async () => {
  let release = () => {};
  const { asked, got, search, close } = stage(async ({ q }) => {
    if (q === "slow") await new Promise((done) => (release = done));
    return answer([row(q)]);
  });
  search.look({ ...QUERY, q: "slow" });
  await until(() => asked.length === 1);
  search.look({ ...QUERY, q: "quick" });
  await until(() => got.length);
  release();
  await new Promise((done) => setTimeout(done));
  equal([got, asked[0].signal.aborted], [[["quick"]], true]);
  close();
});

test("it asks again by itself while something is read or runs", async () => {
  let left = 2;
  const { got, search, close } = stage(() => answer([row("s1")], { unread: left-- }));
  search.look(QUERY);
  await until(() => got.length === 3);
  close();
  equal(got.length, 3);
});

test("what goes wrong is said in the server's words", async () => {
  const said = [
    () => new Response('{"message": "The disk is full."}', { status: 503 }),
    () => new Response("<html>", { status: 502 }),
  ];
  const { got, search, close } = stage(() => said.shift()?.() ?? Promise.reject(new TypeError("no network")));
  for (let count = 1; count <= 3; count++) {
    search.again();
    await until(() => got.length === count);
  }
  equal(got, [
    "The disk is full.",
    "The sessions could not be read: the server answered 502.",
    "Not connected to the server. This list may be out of date.",
  ]);
  close();
});
