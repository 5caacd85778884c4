/** A model call as it was sent and answered. */

import type { Json } from "../../../browser/js/types.d.ts";
import type { EntryOf, EventEntry, ModelFinished, ModelStarted, Part, PlaybookPlace } from "../log/entries.d.ts";

export interface Given {
  seq: number;
  ids: Set<string>;
  place: PlaybookPlace;
}

export interface CallRecord {
  started: EntryOf<"model_started", ModelStarted>;
  finished: EntryOf<"model_finished", ModelFinished> | null;
  /** The event that the answer became. */
  answer: EventEntry | null;
}

/** A message of the history; `seq` is the event that it comes from, null where the record holds the text itself. */
export interface SentContent {
  role: string;
  parts: Part[];
  seq: number | null;
  author: string;
}

export type SourceKind = "identity" | "instruction" | "state" | "playbook" | "history" | "tools" | "schema";

/** A piece of a prompt and where it comes from. */
export interface PromptPart {
  kind: SourceKind;
  /** The state key, the bullet, the author or the tool. */
  name: string;
  text: string;
  tokens: number;
  /** The event or record that it comes from. */
  seq: number | null;
  /** Of a bullet: the playbook that it is in. */
  place?: PlaybookPlace;
  /** Found by its text: the record does not say where it comes from. */
  guessed?: boolean;
}

/** What became of messages between two calls: some stayed, or one went, came, or has another text now. */
export type MessageChange =
  | { op: "="; parts: PromptPart[] }
  | { op: "-" | "+"; part: PromptPart }
  | { op: "~"; part: PromptPart; before: string };

/** What differs between the prompts of two calls, of one source. */
export type SourceChange =
  | { kind: SourceKind; before: string; after: string; messages?: undefined }
  | { kind: "history"; messages: MessageChange[] };

/** A request as it was sent, and its parts in the order in which they were. */
export interface Prompt {
  record: CallRecord;
  instruction: string;
  contents: SentContent[];
  config: Json;
  declarations: Json[];
  schema: Json | null;
  parts: PromptPart[];
  /** Messages that a callback left out. */
  leftOut: PromptPart[];
  /** Messages of which a summary was sent. */
  summedUp: PromptPart[];
  /** The answer, where it became no event. */
  answer: Part[];
  /** Whether the history could not be worked out as it was counted when it was sent. */
  inexact: boolean;
}
