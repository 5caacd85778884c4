/** A playbook as the log and the server tell of it. */

import type { Json } from "../../../browser/js/types.d.ts";
import type { PlaybookGiven, PlaybookPlace } from "../log/entries.d.ts";
import type { Run, Verdict } from "../log/folds.d.ts";

/** What an event did to a playbook: the operations that were applied, and those that were rejected. */
export interface Commit extends PlaybookPlace {
  applied: Operation[];
  rejected?: Rejection[];
  by?: string;
  cited?: string[];
  reasoning?: string;
}

/** An operation on bullets; which fields there are depends on its type. */
export interface Operation {
  type: string;
  bullet_id?: string;
  bullet_ids?: string[];
  section?: string;
  content?: string;
  before?: string;
  counted?: Record<string, number>;
  tag?: string;
  was?: string;
  imported?: boolean;
  bullet?: { content?: string; section?: string };
  merged?: { id: string; content?: string }[];
  helpful?: number;
  harmful?: number;
  neutral?: number;
  by?: string;
  reason?: string;
}

export interface Rejection {
  operation?: Partial<Operation>;
  reason?: string;
}

/** How a change is shown: a sign and a word for it, a class for its look, and the texts that there are. */
export interface ChangeLook {
  sign: string;
  word: string;
  look: string;
  before?: string;
  after?: string;
  merged?: { id: string; content?: string }[];
}

export interface Change extends ChangeLook {
  type: string;
  id?: string;
  section?: string;
  by: string;
  reason: string;
  merged: { id: string; content?: string }[];
}

/** An operation as it was asked for. */
export interface OperationWords {
  what: string;
  ids: string[];
  section: string;
  text: string;
}

/** A user's decision on an operation, while it is made. */
export interface Decision {
  operation: Operation;
  approved: boolean;
  reason: string;
  text: string;
  editable: boolean;
}

/** A decision that was made; `edited` is the text in place of the one that was proposed, or null. */
export interface Decided {
  operation: Operation;
  approved: boolean | null;
  reason: string;
  edited: string | null;
}

export interface Bullet {
  id: string;
  content: string;
  helpful: number;
  harmful: number;
  neutral: number;
  archived?: boolean;
}

/** What the server answers when bullets are asked for; `more` are beyond those that one answer holds. */
export interface BulletsAnswer {
  bullets: Bullet[];
  more: number;
  message?: Json;
}

/** What a run had to do with a playbook: see `playbookAt`. */
export interface PlaybookRun {
  run: Run;
  /** The record of what the generator was given. */
  given: PlaybookGiven | null;
  answer: CitingAnswer | null;
  feedback: { seq: number; text: Json } | null;
  verdict: Verdict | null;
  commits: { seq: number; author: string; commit: Commit }[];
  /** `seq` of what comes first in this run, if that is after the entry looked at. */
  next: number | null;
}

/** `judged`: it is an earlier run's, and this run learns from a verdict on it. */
export interface CitingAnswer {
  seq: number;
  cited: string[];
  judged: boolean;
}

/** A bullet that something was done with. `given` is null where the record does not name all bullets. */
export interface MarkedBullet {
  id: string;
  given: boolean | null;
  cited: boolean;
  /** An earlier run's answer cites it. */
  judged: boolean;
  tags: string[];
  changes: string[];
}
