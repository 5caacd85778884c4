/** What the cards of the list work with. */

import type { Json } from "../../../browser/js/types.d.ts";
import type { Bullets } from "../playbook/bullets.js";
import type { Decision } from "../playbook/types.d.ts";
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
  /** Called when the card's height changed by itself. */
  onResize: () => void;
}
