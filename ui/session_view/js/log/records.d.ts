/** The kinds of trace records, as `agents/records.py` has them. Written by `uv run poe records`. */

import type { Json } from "../../../browser/js/types.d.ts";

/** Tokens of model calls. */
export interface Tokens {
  /** Tokens sent. */
  input?: number;
  /** Tokens received. */
  output?: number;
  /** Tokens thought; they come besides the output. */
  thoughts?: number;
  /** Those of the input that the provider had cached. */
  cached?: number;
}

/** The messages of a model call: those that a rule selects among the events up to one, or a text. */
export interface Contents {
  /** The rule, see `agents.llm.contents.history_for`; absent where a text is named. */
  select?: "default" | "none" | null;
  /** `seq` of the last event that is looked at. */
  until?: number;
  /** How many messages there are. */
  count?: number;
  /** The hash of the messages as JSON. */
  text?: string | null;
  /** Beside a text: the rule of the messages of which a callback left some out. */
  chosen_from?: "default" | "none" | null;
}

/** Limits that the server's grammar needed and no schema has: most characters of a text, most items of a list. */
export interface Limits {
  characters?: number;
  items?: number;
}

/** What every trace record has, and a record of an unknown kind. */
export interface RecordBody {
  /** The run; "" outside of one. */
  invocation_id: string;
  /** The agent concerned; "" where there is none. */
  agent: string;
  /** The parallel branch that it happened in. */
  branch?: string | null;
  /** Seconds since the epoch. */
  timestamp: number;
  /** The model call that it belongs to, counted within the run; None for none. */
  call?: number | null;
  /** Whether it is told again from the recorded session that is replayed. */
  replayed?: boolean;
}

/** A session was created, with its first state. */
export interface SessionCreated extends RecordBody {
  state: { [key: string]: Json };
}

/** This session is a fork: what comes before is copied from its origin, and what was changed since. */
export interface Forked extends RecordBody {
  /** The id of the session that it came from. */
  origin: string;
  /** The origin's entry that is replaced, or the last one that stays. */
  seq: number;
  /** What was changed, see `agents.forks.Change`. */
  changes?: { [key: string]: Json }[];
  /** The same in words; "" for nothing. */
  what?: string;
  /** Recorded results of tools with effects outside that the fork may use. */
  recorded?: { [key: string]: Json }[];
}

/** This session came from a file: what comes before was recorded elsewhere. */
export interface Imported extends RecordBody {
  /** The session's id there. */
  origin?: string;
  /** The scopes of state that came along. */
  scopes?: string[];
  /** New name → name there. */
  playbooks?: { [key: string]: string };
  /** Whether the next record ends a run that the file leaves open. */
  closes?: boolean;
  /** Whose file it was, e.g. "claude_code"; "" for a session that was exported here, or by ADK. */
  format?: string;
  /** How many secrets of each kind were masked. */
  masked?: { [key: string]: number };
  /** How many lines could not be read, and are kept as they are. */
  unread?: number;
}

/** What the file of a coding agent says beside its messages, or a line of it that could not be read. */
export interface TranscriptNote extends RecordBody {
  /** "unread" (a line, as it is), "summary", "compacted", "context" (what a program added in the user's name), "went_back" (the user went back, and what came between was left), or "error". */
  note: string;
  /** What it says. */
  text: string;
  /** The number of the line; 0 for none. */
  line?: number;
}

/** This session ran a case: what comes before is its log, and this is what the case said of it. */
export interface CaseRun extends RecordBody {
  /** The case's name. */
  case: string;
  /** "held", "failed" or "error". */
  outcome: string;
  /** What did not hold; "" if all did. */
  what?: string;
  /** What was special about the run. */
  about?: string;
}

/** A delta was tried on a copy of the playbook against the cases that guard it. */
export interface CasesTried extends RecordBody {
  /** The playbook. */
  playbook?: string;
  /** How many cases. */
  tried?: number;
  /** Names of the cases that the delta breaks. */
  broken?: string[];
  /** Why some cases were not tried. */
  problems?: string[];
  /** Why none could be tried. */
  why?: string;
}

/** A run began, or went on after a pause: its models, faults and shared state. */
export interface RunStarted extends RecordBody {
  /** The model of agents that name none. */
  model?: string | null;
  /** Models of single agents. */
  agent_models?: { [key: string]: string | null };
  /** Whether a model of it is simulated. */
  simulated?: boolean;
  /** Whether it goes on after a pause. */
  resumed?: boolean;
  /** The faults to inject, as text. */
  faults?: string[];
  /** Most model calls. */
  max_llm_calls?: number | null;
  /** State of the user and of the app as the run found it. */
  shared?: { [key: string]: Json };
  /** "session" if what it writes to the app's state stays in its session. */
  app_state?: string;
  /** The revision of the team that ran; None for another pipeline. */
  team_revision?: number | null;
  /** Whether what it learns waits for the owner of the playbook. */
  needs_approval?: boolean;
  /** Whether the playbook is its own. */
  owns_playbook?: boolean;
  /** Whether a program asked with functions or settings of its own, which are not in the log. */
  asked_by_client?: boolean;
}

/** A run ended or paused: status, calls, tokens and time. */
export interface RunFinished extends RecordBody {
  /** How it ended. */
  status: "completed" | "stopped" | "failed" | "interrupted" | "paused";
  /** Model calls, those before a pause included. */
  calls?: number;
  /** Tokens of those calls; thoughts are in the output. */
  tokens?: Tokens;
  /** Seconds that it ran. */
  duration?: number;
  /** The code of the error that ended it. */
  error_code?: string | null;
  /** The same in words. */
  error_message?: string | null;
  /** Written where a fork begins, or where the run was cut off: it goes on. */
  cut?: boolean;
  /** Written in the run's own log, because the process that ran it ended or stood still: another one goes on. */
  cut_off?: boolean;
}

/** An agent began its turn, or went on after a pause. */
export interface AgentStarted extends RecordBody {
  /** The name of its class. */
  type?: string;
  /** Whether it goes on after a pause. */
  resumed?: boolean;
  /** As a node of a graph: the path of its run, see `NodeInfo.path`. */
  node?: string;
}

/** An agent's callback answered or set state; its event comes next. */
export interface AgentCallback extends RecordBody {
  /** "before", "answer" (in place of the agent) or "after". */
  callback?: string;
}

/** An agent ended its turn, and how. */
export interface AgentFinished extends RecordBody {
  /** How it ended. */
  outcome: "ok" | "error" | "paused" | "cancelled";
  /** The agent goes on after its last event: a fork begins here, or a model call waits for the user. */
  cut?: boolean;
  /** As a node of a graph: the path of its run. */
  node?: string;
  /** As a node of a graph: an event below it has told its output; the nodes after it are given `output`. */
  delegated?: boolean;
  /** What it gave then; None for nothing. */
  output?: Json;
}

/** A node of a graph failed, and is run again. */
export interface NodeRetry extends RecordBody {
  /** The path of its run. */
  node: string;
  /** The number of the try that failed. */
  attempt: number;
  /** Seconds to the next one. */
  delay: number;
  /** The error in words. */
  error?: string;
}

/** A model was asked: what it was sent. Texts are named by hash. */
export interface ModelStarted extends RecordBody {
  call: number;
  /** The model. */
  model: string | null;
  /** Which call of the agent's turn it is, from 1. */
  turn?: number;
  /** The instruction. */
  instruction?: string | null;
  /** The messages. */
  contents?: Contents;
  /** Names of the tools. */
  tools?: string[];
  /** Settings as JSON. */
  config?: string | null;
  /** Whether pieces were asked for. */
  stream?: boolean;
  /** Where values stand in the instruction: from a character to before another, with the state key. */
  filled?: [number, number, string][];
  /** Whether what others said stood between markers. */
  quoted?: boolean;
  /** Whether branches that have joined were seen, and a late response was sent without what came between. */
  joined?: boolean;
  /** Declarations of tools as JSON. */
  declarations?: string | null;
  /** The answer's schema as JSON. */
  schema?: string | null;
  /** The sender that the request names, if it is not the agent. */
  label?: string | null;
}

/** A model's call ended: tokens, time, and the error if there was one. */
export interface ModelFinished extends RecordBody {
  call: number;
  /** The model that was asked. */
  model: string;
  /** The model that answered, if it is another one. */
  answered_by?: string | null;
  /** Tokens; empty if there was no whole answer. */
  usage?: Tokens;
  /** Searches that the provider bills. */
  searches?: number;
  /** Seconds. */
  duration?: number;
  /** Seconds to the first piece; None if there was none. */
  first_token?: number | null;
  /** Why the answer ended. */
  stop_reason?: string | null;
  /** The hash of an answer that became no event. */
  answer?: string | null;
  /** Limits that the server's grammar needed. */
  limits?: Limits;
  /** The error; "cancelled" for a call that was stopped. */
  error?: string | null;
  /** The code of the error. */
  error_code?: string | null;
}

/** A try of a model call failed, and another one is made. */
export interface ModelRetry extends RecordBody {
  call: number;
  /** The model. */
  model: string;
  /** The number of the try that failed. */
  attempt: number;
  /** Seconds to the next one. */
  delay: number;
  /** The code of the error. */
  code: string;
  /** The error in words. */
  error?: string;
}

/** A model is being loaded into memory; how far it is. */
export interface ModelLoading extends RecordBody {
  /** The model. */
  model: string;
  /** From 0 to 1; None if it is not known. */
  progress?: number | null;
  /** The size of its file. */
  bytes?: number | null;
}

/** A model was loaded into memory. */
export interface ModelLoaded extends RecordBody {
  /** The model. */
  model: string;
  /** How long it took. */
  seconds?: number | null;
  /** The size of its file. */
  bytes?: number | null;
  /** Its context window, in tokens. */
  n_ctx?: number | null;
}

/** A tool was called. */
export interface ToolStarted extends RecordBody {
  /** The tool. */
  tool: string;
  /** The call. */
  call_id: string;
  /** Whether the user allowed the call; None if that was not asked. */
  confirmed?: boolean | null;
  /** The arguments that the user gave it. */
  edited_args?: { [key: string]: Json } | null;
}

/** A tool's call ended, and how long it took. */
export interface ToolFinished extends RecordBody {
  /** The tool. */
  tool: string;
  /** The call. */
  call_id: string;
  /** Seconds. */
  duration?: number;
  /** The error; "cancelled" for a call that was stopped. */
  error?: string | null;
  /** Whether its result is to come from the user. */
  waits?: boolean;
}

/** In a fork, a tool with effects outside was not called: the call is the origin's, and so is its result. */
export interface ToolRecorded extends RecordBody {
  /** The tool. */
  tool: string;
  /** The call. */
  call_id: string;
}

/** How a model is told of its tools, where that is not its own way. */
export interface ToolProtocol extends RecordBody {
  /** The model. */
  model?: string;
  /** "json" or "native". */
  protocol: string;
  /** Why. */
  reason?: string;
}

/** A loop began its next pass. */
export interface LoopIteration extends RecordBody {
  /** The pass, from 1. */
  iteration: number;
  /** Most passes; None for no limit. */
  max_iterations?: number | null;
}

/** An agent in a loop escalated: the loop ends. */
export interface LoopEscalated extends RecordBody {
  /** The agent. */
  by?: string;
  /** In which pass. */
  iteration?: number;
}

/** A loop ended, and why. */
export interface LoopFinished extends RecordBody {
  /** "escalated", "max_iterations", "empty" or "ended". */
  reason: string;
  /** How many passes it made. */
  iterations: number;
  /** The agent that escalated. */
  by?: string;
}

/** A router chose an agent or a model, or none. */
export interface RouteDecided extends RecordBody {
  /** The router. */
  router?: string;
  /** What is chosen. */
  level?: "agent" | "model" | null;
  /** The choice; None for none. */
  key?: string | null;
  /** The keys that there are. */
  candidates?: string[];
  /** The keys that have failed. */
  failed?: string[];
  /** Why, in the router's words. */
  reason?: string;
  /** The errors that led to it. */
  error?: string;
}

/** An agent handed over to another one. */
export interface Transfer extends RecordBody {
  /** That one. */
  to: string;
}

/** A model call went wrong because the user asked for it; the words are the rest of a sentence about the model. */
export interface FaultInjected extends RecordBody {
  /** What goes wrong. */
  fault: string;
  /** The agent or model that the fault is for. */
  target?: string;
  /** The model that was called. */
  model?: string;
  /** Of a delay. */
  seconds?: number | null;
}

/** A replayed model was asked otherwise than when it was recorded. */
export interface ReplayDrifted extends RecordBody {
  /** The model that replays. */
  model?: string;
  /** The position of the recorded answer. */
  position?: number;
  /** The parts of the request that changed. */
  drifted?: string[] | string;
  /** How, by part. */
  detail?: Json;
}

/** An agent was given bullets of a playbook. */
export interface PlaybookGiven extends RecordBody {
  /** The playbook. */
  playbook: string;
  /** Its revision. */
  revision: number;
  /** How many bullets. */
  bullets: number;
  /** Their ids, of many the first ones. */
  bullet_ids: string[];
  /** Whether they were chosen for the request. */
  chosen?: boolean;
}

/** The records by their kind. */
export interface Records {
  session_created: SessionCreated;
  forked: Forked;
  imported: Imported;
  transcript_note: TranscriptNote;
  case_run: CaseRun;
  cases_tried: CasesTried;
  run_started: RunStarted;
  run_finished: RunFinished;
  agent_started: AgentStarted;
  agent_callback: AgentCallback;
  agent_finished: AgentFinished;
  node_retry: NodeRetry;
  model_started: ModelStarted;
  model_finished: ModelFinished;
  model_retry: ModelRetry;
  model_loading: ModelLoading;
  model_loaded: ModelLoaded;
  tool_started: ToolStarted;
  tool_finished: ToolFinished;
  tool_recorded: ToolRecorded;
  tool_protocol: ToolProtocol;
  loop_iteration: LoopIteration;
  loop_escalated: LoopEscalated;
  loop_finished: LoopFinished;
  route_decided: RouteDecided;
  transfer: Transfer;
  fault_injected: FaultInjected;
  replay_drifted: ReplayDrifted;
  playbook_given: PlaybookGiven;
}
