/** Markdown as it was read: blocks, and what stands in a line of them. */

export type Block =
  | { type: "paragraph"; text: string }
  | { type: "heading"; level: number; text: string }
  | { type: "code"; info: string; text: string }
  | { type: "quote"; blocks: Block[] }
  | { type: "list"; start: number | null; items: Block[][] }
  | { type: "table"; align: Align[]; head: string[]; rows: string[][] }
  | { type: "math"; text: string }
  | { type: "rule" };

export type Align = "left" | "center" | "right" | null;

/** A block of the outermost level and the text that it was read from, up to the next block. */
export interface Piece {
  block: Block;
  source: string;
}

export type Inline =
  | { type: "text" | "code" | "math"; text: string }
  | { type: "break" }
  | { type: "emphasis" | "strong" | "strike"; children: Inline[] }
  | { type: "link"; address: string; children: Inline[] }
  | { type: "picture"; address: string; children: Inline[] };

/** A run of code of one kind. */
export interface Token {
  kind: "plain" | "comment" | "string" | "number" | "keyword";
  text: string;
}
