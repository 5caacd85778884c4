import { drawArtifacts, picturesOf } from "../../../../ui/session_view/js/parts/files.js";
import { all, equal, show, test, textOf, until } from "../stage.mjs";

const DOT = "R0lGODlhAQABAAAAACwAAAAAAQABAAA=";
const PLACE = { pipeline: "p", session: "s" };

test("pictures of an event and of a tool's answer are shown, other data is named", () => {
  const view = show(picturesOf([
    { inline_data: { mime_type: "image/gif", data: DOT } },
    { function_response: { parts: [{ inline_data: { mime_type: "image/gif", data: DOT } }, {}] } },
    { inline_data: { mime_type: "image/svg+xml", data: DOT } },
    { text: "x" },
  ]));
  equal(all(view, "img").map(({ src }) => src), Array(2).fill(`data:image/gif;base64,${DOT}`));
  equal(textOf(view), "image/svg+xml, not shown");
});

test("a file is a chip to download it, a picture is shown too", () => {
  const { chips, pictures } = drawArtifacts({ artifact_delta: { "user:a b.png": 2, "notes.txt": 0 } }, PLACE, () => {});
  show(chips, pictures);
  equal(chips.map(({ href, download }) => [new URL(href).search, download]), [
    ["?pipeline=p&session=s&name=user%3Aa+b.png&version=2", "a b.png"],
    ["?pipeline=p&session=s&name=notes.txt&version=0", "notes.txt"],
  ]);
  equal(pictures.map(({ alt }) => alt), ["user:a b.png, version 2"]);
});

test("what turns out to be no picture says so, or goes where nobody took it for one; the row then has another height", async () => {
  let resized = 0;
  const { pictures } = drawArtifacts({ artifact_delta: { "a.png": 0, "data": 0 } }, PLACE, () => (resized += 1));
  const view = show(pictures);
  for (const picture of pictures) picture.loading = "eager";
  await until(() => resized === 2);
  equal([all(view, "img").length, textOf(view)], [0, "a.png cannot be shown"]);
});
