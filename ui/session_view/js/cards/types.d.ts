/** What the cards of the list work with. */

import type { Json } from "../../../browser/js/types.d.ts";
import type { Bullets } from "../playbook/bullets.js";
import type { Decision } from "../playbook/types.d.ts";
import type { Log } from "../log/folds.d.ts";
import type { Field } from "./fields.js";

/** What a user is about to answer: which form is open, and what was typed into it. */
export interface Draft {
  form: "choose" | "edit" | "reject" | "wrong" | "outcome";
  reason: string;
  text: string;
  outcome: string;
  fields: { args: Field[]; payload: Field[] } | null;
  /** What is wrong, by the name of a field. */
  errors: Record<string, string>;
  review: Decision[] | null;
  asModel: AsModel | null;
}

/** A property of a JSON schema as a field. */
export interface SchemaField {
  name: string;
  kind: "choice" | "text" | "long" | "number" | "json";
  /** In words. */
  type: string;
  /** What the schema says of it. */
  about: string;
  required: boolean;
  /** Whether a number has to be whole. */
  whole: boolean;
  /** Of a choice. */
  options: [label: string, value: Json][];
  /** What was typed, or the place of the chosen option; "" for nothing. */
  held: string;
}

/** What a user does in a model's place, besides the text. */
export interface AsModel {
  calls: { name: string; about: string; fields: SchemaField[] }[];
  /** Of the answer, where its schema has any. */
  fields: SchemaField[] | null;
  /** Keys of what is unfolded. */
  open: Set<string>;
}

/** What a form is drawn with besides the call. */
export interface Form {
  draft: Draft;
  /** Nothing can be sent now. */
  off: boolean;
  give: (response: Record<string, Json>) => void;
  /** Draws the card anew; the focus goes to the first element that the selector finds. */
  show: (focus?: string) => void;
  bullets: Bullets;
  log: () => Log;
  onSelect: (seq: number) => void;
  /** Called when the card's height changed by itself. */
  onResize: () => void;
}
