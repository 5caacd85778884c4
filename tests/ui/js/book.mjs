/** Rows as the list gets them, made of log entries. */

import { append, emptyLog } from "../../../ui/session_view/js/log/log.js";
import { emptyBook } from "../../../ui/session_view/js/rows/book.js";
import { extendRows } from "../../../ui/session_view/js/rows/rows.js";

/** The book of some entries. */
export function bookOf(...entries) {
  const book = emptyBook();
  extendRows(book, append(emptyLog(), entries));
  return book;
}

/** The first row of a type. */
export function rowOf(type, ...entries) {
  return bookOf(...entries).rows.find((row) => row.type === type);
}
