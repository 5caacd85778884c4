/** The rows of the event list, and what they are made from. */

import type { Json } from "../../../browser/js/types.d.ts";
import type { Entry, EntryOf, EventBody, LoopFinished, RecordEntry, RouteDecided, Transfer } from "../log/entries.d.ts";
import type { Judged, JudgedAnswer, Partial, Pending, PendingCall, SessionPlace, TreeIndex } from "../log/folds.d.ts";
import type { Commit } from "../playbook/types.d.ts";

/** A row; `type` says which. Rows being written have a text as their key and no entry. */
export type Row = StoredRow | PartialRow;

export type StoredRow =
  | EventRow
  | RowOf<"run", RecordEntry<"run_started">, { number: number }>
  | EndRow
  | RowOf<"iteration", RecordEntry<"loop_iteration">>
  | RowOf<"loop_end", RecordEntry<"loop_finished">, { escalation: Escalation | null }>
  | RowOf<"route", RecordEntry<"route_decided">>
  | RowOf<"transfer", RecordEntry<"transfer">>
  | RowOf<"fault", RecordEntry<"fault_injected">>
  | RowOf<"given", RecordEntry<"playbook_given">>
  | RowOf<"retry", RecordEntry<"model_retry">>
  | RowOf<"cut", RecordEntry<"model_finished">>
  | RowOf<"drift", RecordEntry<"replay_drifted">>
  | RowOf<"protocol", RecordEntry<"tool_protocol">>
  | RowOf<"recorded", RecordEntry<"tool_recorded">>
  | RowOf<"forked", RecordEntry<"forked">>
  | RowOf<"case_run", RecordEntry<"case_run">>
  | RowOf<"cases_tried", RecordEntry<"cases_tried">>
  | RowOf<"note", Entry>
  | LoadingRow
  | BlockRow
  | CardRow
  | ThumbsRow;

export type RowType = Row["type"];
export type RowFor<Type extends RowType> = Extract<Row, { type: Type }>;
export type Key = number | string;

/** `runs` and `ordinal`: how many runs and events there were up to this row. `live` is what may change in it. */
export interface RowBase {
  key: Key;
  branch: string;
  scopes: Scope[];
}

export type RowOf<Type extends string, From, More = object> = RowBase & More & {
  type: Type;
  key: number;
  seq: number;
  entry: From;
  ordinal: number;
  runs: number;
  live?: { version: number };
};

export type EventRow = RowOf<"event", EntryOf<"event", EventBody>, {
  step: Step | null;
  calls: Map<string, PendingCall>;
  limit: number | null;
  /** The agent that it is the request to, when it is used as a tool. */
  to: string | null;
  settings: Setting[] | null;
  live?: RunOrigin;
}>;
export type EndRow = RowOf<
  "end",
  RecordEntry<"run_finished">,
  { told: boolean; limit: number | null; live?: Pause; outcome: Outcome; calls: PendingCall[]; waits: PendingCall[] }
>;
export type LoadingRow = RowOf<"loading", Entry, { live: Loading }>;
export type BlockRow = RowOf<"block", Entry, { live: Block; caller: string }>;
export type CardRow = RowOf<"card", Entry, { live: PendingCall; call: PendingCall }>;
export type ThumbsRow = RowOf<"thumbs", Entry, { live: JudgedAnswer }>;

export interface PartialRow extends RowBase {
  type: "partial";
  key: string;
  partial: Partial;
  entry: null;
  seq?: undefined;
  live?: undefined;
}

/** Which THINK of its turn an event came from, or that it is an OBSERVE. `plain`: one answer without tools. */
export interface Step {
  word: "THINK" | "OBSERVE";
  turn: number | null;
  reason: string | null;
  acts: boolean;
  plain: boolean;
}

/** A state key that a user changed. */
export interface Setting {
  key: string;
  before: Json;
  after: Json;
}

/** Who asked a loop to end, and through which tool. */
export interface Escalation {
  author: string;
  tool: string | null;
}

/** What a run came to. Maps are by the name in their comment, in the order of the last change. */
export interface Outcome {
  /** "branch/agent" → its last text that asked for no call and ended no loop. */
  texts: Map<string, Output>;
  /** State key → the last text that was saved under it. */
  keyed: Map<string, Output>;
  /** Agent → the state keys that its last request was filled in from. */
  read: Map<string, Set<string>>;
  /** State key → the agents that set it. */
  writers: Map<string, Set<string>>;
  /** State key → its last value, pictures apart. */
  saved: Map<string, Saved>;
  pictures: Map<string, Saved>;
  /** Name of a file → its last version. */
  files: Record<string, number>;
  /** The generator's answer, of a run that learns from answers. */
  answer: Output | null;
  /** A tool's response that is the answer. */
  given: Output | null;
  /** The last loop that ended. */
  ended: Ended | null;
  /** `seq` of the last pass of a loop. */
  pass: number;
  /** Agent → `seq` of its last text. */
  spoke: Map<string, number>;
  /** Agents with an event of their own in a parallel branch. */
  lanes: Set<string>;
  route: RouteDecided | null;
  transfer: Transfer | null;
  commits: Commit[];
  failed: { author: string; seq: number; ordinal: number } | null;
}

/** What an agent gave with an event. */
export interface Output {
  seq: number;
  ordinal: number;
  author: string;
  branch: string;
  text: string;
  /** The state key that it was saved under. */
  key: string | null;
  response?: Json;
  custom_metadata?: EventBody["custom_metadata"];
}

export interface Saved {
  key: string;
  value: Json;
  by: Output;
}

export interface Ended {
  body: LoopFinished;
  escalation: Escalation | null;
  at: number;
}

/** Whether a run's answers are not all simulated. */
export interface RunOrigin {
  mixed: boolean;
  version: number;
}

export interface Pause {
  at: number;
  waiting: number;
  /** Seconds, once the run went on. */
  waited: number | null;
  over: boolean;
  version: number;
}

/** A model that is loaded; `seconds` once it is. */
export interface Loading {
  model: string;
  seconds: number | null;
  bytes: number | null;
  progress: number | null;
  over: boolean;
  version: number;
}

/** An agent at work as a tool: its `nth` call in the run. */
export interface Block {
  branch: string;
  /** How many of the session's blocks began before it. */
  number: number;
  agent: string;
  nth: number;
  events: number;
  open: boolean;
  failed: boolean;
  version: number;
}

/** What is open around a row: a loop, a parallel branch, an agent as a tool, or a branch that ended before its sisters. */
export type Scope = LoopScope | LaneScope | ToolScope | GapScope;
export interface LoopScope {
  kind: "loop";
  agent: string;
  branch: string;
  at: { iteration: number };
  block?: undefined;
}
export interface LaneScope {
  kind: "lane";
  agent: string;
  branch: string;
  block?: undefined;
}
export interface ToolScope {
  kind: "tool";
  agent: string;
  branch: string;
  block: Block;
}
export interface GapScope {
  kind: "gap";
  agent: string;
  branch: string;
  block?: undefined;
}

/** The rows of a log, and what the next ones depend on. */
export interface Book {
  rows: StoredRow[];
  /** What is open now; replaced, never changed, since rows keep it. */
  scopes: Scope[];
  /** What was open when the run paused. */
  held: Scope[];
  escalation: Escalation | null;
  /** Of the run at work, or of the last one. */
  outcome: Outcome;
  /** The error of the last event. */
  error: string | null;
  runs: number;
  ordinal: number;
  pending: Pending;
  judged: Judged;
  /** Calls that have a card. */
  carded: Set<string>;
  /** The last pause, until the run goes on or is given up. */
  pause: Pause | null;
  /** Model calls that the run may make. */
  limit: number | null;
  /** "branch/agent" → which THINK of its turn came last. */
  turns: Map<string, number>;
  /** State key → its last value. */
  settings: Map<string, Json>;
  /** Agents at work as tools: by branch, and how often each was called in this run. */
  blocks: Map<string, Block>;
  calls: Map<string, number>;
  /** Branch → who last called a tool there. */
  callers: Map<string, string>;
  /** Branch → how many nodes of graphs run in it. */
  nodes: Map<string, number>;
  origin: RunOrigin;
  /** Model → how its loading stands, in this run. */
  loading: Map<string, Loading>;
}

/** What a row is drawn with besides itself. */
export interface Drawing {
  open: boolean;
  index: TreeIndex;
  /** Whose files are shown. */
  place: SessionPlace;
  /** Called with a row's key when a user wants all of it, or less. */
  onToggle: (key: Key) => void;
  /** Agents at work as tools, by branch: whether their rows are folded away. */
  folded: (branch: string) => boolean;
  onFold: (branch: string) => void;
  /** Called with the `seq` of an event that a row leads to. */
  onSelect: (seq: number) => void;
  /** Whether texts are shown as they were written, not as Markdown. */
  raw: boolean;
  /** Called when a row turned out to be of another height. */
  onResize: () => void;
}

/** Fills the element of a row. */
export type Draw<Type extends RowType> = (element: HTMLElement, row: RowFor<Type>, drawing: Drawing) => void;
export type DrawTable = { [Type in RowType]: Draw<Type> };
