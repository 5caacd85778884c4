/** What folds over the log hold. */

import type { Json } from "../../../browser/js/types.d.ts";
import type { Entry, ModelFinished, ModelRetry, ModelStarted, RunStatus, Tokens } from "./entries.d.ts";

/** A session's log, and what it means as far as it is here. */
export interface Log {
  entries: Entry[];
  /** `seq` → place in `entries`. */
  places: Map<number, number>;
  /** `seq` → 1-based number among the events. */
  ordinals: Map<number, number>;
  /** Places of the events in `entries`, in order. */
  eventPlaces: number[];
  lastSeq: number;
  events: number;
  runs: Run[];
  state: State;
  /** Each state key's values, in the order in which they were set. */
  history: StateHistory;
  activity: Activity;
  moment: Moment;
  usage: Usage;
  /** The entries that write to state. */
  writing: Entry[];
  /** Whether anything in it has to do with a playbook. */
  playbook: boolean;
  /** Places in `entries` of what the cursor stops at, by what it is. */
  stops: Stops;
  /** Copies of what is folded, one every so many entries. */
  snapshots: { activity: Activity; usage: Usage; moment: Moment }[];
}

/** Numbers of events: where agents' turns begin, and what the cursor's track marks. */
export interface Stops {
  turns: number[];
  marks: StopMark[];
  /** "author, branch" of the last event, and the agents that have started since. */
  last: string;
  started: Set<string>;
}

/** `at` is the number of an event, or of the one before what is marked. */
export interface StopMark {
  at: number;
  kind: "user" | "pass" | "error";
}

export type StateHistory = Map<string, Held[]>;

/** `seq` of the entries of one model call; null for what has not come. */
export interface CallEntries {
  agent: string;
  branch: string | null;
  started: number;
  finished: number | null;
  answer: number | null;
}

/** A session at one entry of its log, its state left out. */
export interface Moment {
  /** The agents that run, outermost first; `iteration` is a loop's pass, 0 for other agents. */
  running: { agent: string; branch: string | null; since: number; iteration: number }[];
  /** The last model call of each agent of the run, as far as it had come, by name and branch. */
  calls: Map<string, CallEntries>;
  playbook: { playbook: string; revision: number } | null;
  /** Model calls begun; tokens of those that have ended. */
  spent: { calls: number; input: number; output: number };
}

/** State by key: the value, and which entry of which kind wrote it. */
export type State = Map<string, Held>;

export interface Held {
  value: Json;
  seq: number;
  author: string;
  kind: Entry["kind"];
}

export interface StateChange {
  key: string;
  before: Json;
  after: Json;
  had: boolean;
  same: boolean;
}

export interface Run {
  number: number;
  invocation: string;
  seq: number;
  endSeq?: number | null;
  started: number;
  /** When it began, or went on after its last pause. */
  since: number;
  /** Seconds worked before its last pause. */
  worked: number;
  duration: number | null;
  /** Seconds that the runs before it worked. */
  earlier: number;
  model?: string | null;
  origin: Origin;
  faults: string[];
  limit: number | null;
  status: RunStatus;
  tokens: Tokens;
  calls: number;
  error?: string | null;
  /** It ended, and the log could not be told. */
  lost?: boolean;
  spans: RunSpans;
}

/** Who works on what. Counts are of what is going on at once, but for `seen` and `toolCounts`: those are in all. */
export interface Activity {
  running: Map<string, number>;
  seen: Map<string, number>;
  models: Map<string, number>;
  /** "agent/tool". */
  tools: Map<string, number>;
  toolCounts: Map<string, number>;
  loops: Map<string, Loop>;
  /** "agent/name" or "model/name". */
  routes: Map<string, Route>;
  /** "from>to" → times. */
  transfers: Map<string, number>;
  /** The latest transfer of this run. */
  handed: string | null;
  /** Agents that wait for a user. */
  waiting: Set<string>;
  /** "agent/call" → the last try of a model call that failed, while another one is made. */
  retrying: Map<string, Retrying>;
  /** Models that are being loaded → how far that is, from 0 to 1. */
  loading: Map<string, number | null>;
  /** Agents that failed in this run, and those of them that failed since the last event. */
  failed: Set<string>;
  fresh: string[];
}

export interface Loop {
  iteration: number;
  max: number | null;
  open?: boolean;
  reason?: string;
}

export interface Route {
  key: string | null;
  failed: string[];
  /** Key → times chosen. */
  counts: Record<string, number>;
}

export interface Retrying {
  agent: string;
  model: string;
  attempt: number;
  delay: number;
  code: string;
  at: number;
}

export interface Usage {
  total: Sums;
  agents: Map<string, Sums>;
  /** By the name of the model. */
  models: Map<string, Sums>;
  /** By invocation id. */
  runs: Map<string, Sums>;
  /** Calls that were begun and have not ended. */
  open: Map<string, ModelStarted>;
  /** "invocation/call" → the tries of it that failed. */
  retries: Map<string, ModelRetry[]>;
  /** What each pair of a model asked and one that answered is called, and priced by. */
  named: Map<string, NamedModel>;
}

export interface NamedModel {
  key: string;
  name: string;
  prices: string[];
}

export interface Sums {
  calls: number;
  failed: number;
  stopped: number;
  retries: number;
  seconds: number;
  /** Of calls that said something. */
  first: { calls: number; seconds: number; longest: number };
  speed: { tokens: number; seconds: number };
  parts: TokenParts;
}

/** Tokens and Google searches, apart by what they cost. `silent` counts calls without tokens, `grounded` with searches. */
export type TokenParts = Map<string, TokenPart>;

export interface TokenPart {
  names: string[];
  input: number;
  output: number;
  thoughts: number;
  cached: number;
  silent: number;
  searches: number;
  grounded: number;
}

/** What a model call used, however it was made. */
export type CallFacts = Pick<ModelFinished, "model" | "answered_by" | "usage" | "searches" | "duration" | "first_token">;

/** US dollars: see `costOfSums`. */
export interface Cost {
  known: number;
  priced: boolean;
  unpriced: string[];
  silent: number;
}

/** An agent, a model call or a tool at work; times are in seconds since the epoch, pauses left out. */
export interface Span {
  kind: "agent" | "model" | "tool";
  name: string;
  agent: string;
  turn?: number | null;
  depth: number;
  start: number;
  end: number | null;
  open: boolean;
  seq: number;
  endSeq: number | null;
  outcome: string | null;
  reason?: string | null;
  call?: ModelFinished;
  retries: (ModelRetry & { at: number })[];
  children: Span[];
}

export type SpanStacks = Map<string, Span[]>;

/** Spans of a run: those under way by key, those that may go on, and agents at work by branch. `gone` are seconds paused. */
export interface RunSpans {
  over: boolean;
  roots: Span[];
  open: SpanStacks;
  paused: SpanStacks;
  agents: SpanStacks;
  pauses: SpanPause[];
  gone: number;
  last: number;
}

/** `waited` is null of a pause that did not end; `at` and `from` are when it began, without and with the pauses before it. */
export interface SpanPause {
  at: number;
  from: number;
  waited: number | null;
}

/** An answer to choose. */
export interface Option {
  label: string;
  response: Record<string, Json>;
}

/** A call that waits for a user; `version` grows with every change. */
export interface PendingCall {
  id: string;
  seq: number;
  /** Seconds since the epoch. */
  at: number;
  agent: string;
  branch: string | null;
  invocation: string;
  asksApproval: boolean;
  /** Whether the user is to answer in the place of the agent's model. */
  asModel: boolean;
  tool: string;
  args: Record<string, Json>;
  /** Of a node of a graph: the answers that its schema lists. */
  options?: Option[];
  /** Of a node of a graph: what it asks, in its words. */
  question?: string;
  hint: string;
  payload: Json;
  /** "over": a later message gave it up, or its run ended. */
  state: "waiting" | "answered" | "over";
  answer: { seq: number; by: string; response: Record<string, Json> } | null;
  version: number;
}

export type AnsweredCall = PendingCall & { answer: NonNullable<PendingCall["answer"]> };

export interface Pending {
  calls: Map<string, PendingCall>;
  waiting: Set<string>;
}

/** `right` is null of an outcome; `event` is the `seq` of the answer that it is about, if it names one. */
export interface Verdict {
  right: boolean | null;
  answer: string;
  outcome: string;
  event: number | null;
}

/** An answer that a user may judge. */
export interface JudgedAnswer {
  seq: number;
  agent: string;
  verdict: (Omit<Verdict, "event"> & { seq: number }) | null;
  version: number;
}

export interface Judged {
  answers: Map<number, JudgedAnswer>;
  last: JudgedAnswer | null;
}

/** Text that is still being written; `points` counts code points. */
export interface Partial {
  id: string;
  author: string;
  branch: string;
  text: string;
  thought: string;
  points: { text: number; thought: number };
  version: number;
}

export interface Piece {
  id: string;
  author: string;
  branch?: string | null;
  offset: number;
  text: string;
  thought: boolean;
}

/** What a lesson says to look for, see `agents.pipeline.Observation`; `sample` is a text here. */
export interface Observation {
  text: string;
  kind: string;
  body: Json;
  count: number;
  sample: string;
  break_title: string;
  needs: string;
}

/** An observation, how often it was made, and `seq` of the entry with which it counts as seen. */
export interface Sighting {
  observation: Observation;
  times: number;
  seq: number | null;
}

/** An agent tree as `agents.pipeline.describe_tree` gives it. */
/** The next nodes, each with the routes that lead there. */
export type Edges = [string, (string | number | boolean)[]][];

export interface AgentNode {
  name: string;
  type: string;
  kind?: string;
  description?: string;
  model?: string;
  tools?: string[];
  children?: AgentNode[];
  max_iterations?: number | null;
  /** The state key that its texts are saved under. */
  output_key?: string;
  /** The state key that the right answer to a message is written to. */
  truth_key?: string;
  routes?: Record<string, string>;
  /** Of a graph: the nodes after each node, with the routes that lead there; those after START under "". */
  edges?: Record<string, Edges>;
  transfers?: string[];
  agent_tools?: Record<string, AgentNode>;
  /** Of the top agent of a team: the team's revision as it is now. */
  revision?: number;
}

export interface TreeIndex {
  nodes: Map<string, TreePlace>;
  order: string[];
  strangers: Map<string, number>;
  leaves: number;
  /** The state key that holds the right answer to a message, in a tree that learns from one. */
  truthKey: string | null;
  /** The team's revision as it is now; null for another pipeline. */
  revision: number | null;
}

export interface TreePlace {
  node: AgentNode;
  depth: number;
  parent: string | null;
  leaf: boolean;
  mark: number | null;
}

/** How an agent looks: a number or name of a colour, and a shape, drawn as an outline where `hollow`. */
export interface Mark {
  colour: number | string;
  shape: string;
  hollow?: boolean;
}

/** Where a run's answers come from. */
export interface Origin {
  /** What the start of the run says. */
  told: { simulated: boolean; partly: boolean };
  simulated: boolean;
  /** Some answers are simulated, not all. */
  partly: boolean;
  replays: SessionPlace[];
  /** Which kinds of answers there have been. */
  answered: { real: boolean; simulated: boolean };
}

export interface SessionPlace {
  pipeline: string;
  session: string;
}

/** What an event says of the record that it was replayed from; `where`: which run and call of it. */
export interface Replay {
  session: string;
  where: string;
  drifted: string[];
}
