/** Reads `[{observations, log}]` from the standard input and writes, for each, where the view sees each observation. */

import { readFileSync } from "node:fs";
import { emptySightings, foldSightings } from "../../../ui/session_view/js/log/folds/observations.js";
import { emptyBook } from "../../../ui/session_view/js/rows/book.js";
import { extendRows } from "../../../ui/session_view/js/rows/rows.js";

const seen = JSON.parse(readFileSync(0, "utf8")).map(({ observations, log }) => {
  const sightings = emptySightings(observations);
  foldSightings(sightings, log);
  const book = emptyBook();
  extendRows(book, log);
  const rows = new Set(book.rows.map(({ key }) => key));
  return sightings.map(({ seq }) => ({ seen: seq !== null, has_row: rows.has(seq) }));
});
console.log(JSON.stringify(seen));
