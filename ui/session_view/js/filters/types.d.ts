/** Filters of the event list. */

import type { TreeIndex } from "../log/folds.d.ts";
import type { Row } from "../rows/types.d.ts";

/** Tells whether a row is wanted. */
export type Matcher = (row: Row) => boolean;

/** A filter. What it is set to is a text. */
export interface Filter {
  /** Also the name of its parameter in the address. */
  name: string;
  /** What the address sets it to; null for nothing, or for nonsense. */
  read: (text: string) => string | null;
  /** What it is set to, in words, as in "Only …". */
  words: (choice: string) => string;
  matcher: (choice: string, index: TreeIndex) => Matcher;
}

/** The filters that are set, by name. */
export type Filters = Readonly<Record<string, string>>;
