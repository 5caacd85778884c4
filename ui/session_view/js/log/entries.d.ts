/** Entries of a session's log as the server sends them. Fields at their default are left out. */

import type { Json } from "../../../browser/js/types.d.ts";

export type Entry =
  | EntryOf<"event", EventBody>
  | EntryOf<"session_created", RecordBody & { state: Record<string, Json> }>
  | EntryOf<"run_started", RunStarted>
  | EntryOf<"run_finished", RunFinished>
  | EntryOf<"agent_started", RecordBody & { resumed?: boolean }>
  | EntryOf<"agent_finished", RecordBody & { outcome: "ok" | "error" | "paused" }>
  | EntryOf<"loop_iteration", RecordBody & { iteration: number; max_iterations?: number | null }>
  | EntryOf<"loop_finished", LoopFinished>
  | EntryOf<"loop_escalated", RecordBody>
  | EntryOf<"model_started", ModelStarted>
  | EntryOf<"model_finished", ModelFinished>
  | EntryOf<"model_retry", ModelRetry>
  | EntryOf<"model_loading", RecordBody & { model: string; progress?: number | null; bytes?: number; seconds?: undefined }>
  | EntryOf<"model_loaded", ModelLoaded>
  | EntryOf<"tool_started", RecordBody & { tool: string; call_id: string }>
  | EntryOf<"tool_finished", RecordBody & { tool: string; call_id: string; error?: string }>
  | EntryOf<"tool_recorded", RecordBody & { tool: string; call_id: string }>
  | EntryOf<"tool_protocol", RecordBody & { protocol: string; reason?: string }>
  | EntryOf<"route_decided", RouteDecided>
  | EntryOf<"forked", Forked>
  | EntryOf<"case_run", CaseRun>
  | EntryOf<"cases_tried", CasesTried>
  | EntryOf<"transfer", RecordBody & { to: string }>
  | EntryOf<"fault_injected", FaultInjected>
  | EntryOf<"replay_drifted", RecordBody & { drifted?: string[] | string; detail?: Json }>
  | EntryOf<"playbook_given", PlaybookGiven>;

export interface EntryOf<Kind extends string, Body> {
  seq: number;
  kind: Kind;
  body: Body;
}

export type EventEntry = EntryOf<"event", EventBody>;
export type Kind = Entry["kind"];

/** What every trace record has. `replayed`: told again from the record that is replayed. */
export interface RecordBody {
  invocation_id: string;
  agent: string;
  branch?: string;
  timestamp: number;
  replayed?: boolean;
}

export interface EventBody {
  id: string;
  invocation_id: string;
  author: string;
  agent?: undefined;
  branch?: string | null;
  timestamp: number;
  content?: { role?: string; parts?: Part[] };
  actions?: Actions;
  long_running_tool_ids?: string[];
  stop_reason?: string | null;
  model_version?: string;
  interrupted?: boolean;
  error_code?: string;
  error_message?: string;
  usage_metadata?: UsageMetadata;
  custom_metadata?: { simulated?: boolean; replay?: Json; injected_fault?: Json; [key: string]: Json };
  grounding_metadata?: Json;
  url_context_metadata?: Json;
}

export interface Actions {
  state_delta?: Record<string, Json>;
  artifact_delta?: Record<string, number>;
  escalate?: boolean;
  transfer_to_agent?: string;
  skip_summarization?: boolean;
}

export interface Part {
  text?: string;
  thought?: boolean;
  function_call?: FunctionCall;
  function_response?: FunctionResponse;
  inline_data?: InlineData;
  executable_code?: { code?: string };
  code_execution_result?: { outcome?: string; output?: string };
}

export interface FunctionCall {
  id: string;
  name: string;
  args?: Record<string, Json>;
}

export interface FunctionResponse {
  id: string;
  name: string;
  response?: Record<string, Json>;
  parts?: { inline_data?: InlineData }[];
}

export interface InlineData {
  mime_type: string;
  data: string;
}

export interface UsageMetadata {
  prompt_token_count?: number;
  candidates_token_count?: number;
  thoughts_token_count?: number;
  cached_content_token_count?: number;
}

/** Tokens; `thoughts` come besides the output, `cached` is a part of the input. */
export interface Tokens {
  input?: number;
  output?: number;
  thoughts?: number;
  cached?: number;
}

export interface RunStarted extends RecordBody {
  model?: string;
  agent_models?: Record<string, string>;
  simulated?: boolean;
  resumed?: boolean;
  faults?: string[];
  max_llm_calls?: number | null;
  shared?: Record<string, Json>;
}

export interface RunFinished extends RecordBody {
  status: RunStatus;
  duration?: number;
  calls?: number;
  tokens?: { input: number; output: number };
  error_code?: string;
  error_message?: string;
  /** Written where a fork begins: the run goes on. */
  cut?: boolean;
}

export type RunStatus = "running" | "paused" | "completed" | "stopped" | "failed" | "interrupted";

export interface LoopFinished extends RecordBody {
  reason: string;
  iterations: number;
  by?: string;
}

/** Texts are named by hash. `contents` says how the history is selected, or names the text of it. */
export interface ModelStarted extends RecordBody {
  call: number;
  model: string;
  turn?: number;
  instruction?: string | null;
  contents?: { select?: "default" | "none"; until?: number; count: number; text?: string };
  quoted?: boolean;
  /** Whether branches that have joined were seen, and a late response was sent without what came between. */
  joined?: boolean;
  tools?: string[];
  config?: string | null;
  /** Where values stand in the instruction: from a character to before another, with the state key. */
  filled?: [number, number, string][];
  declarations?: string;
  schema?: string;
  stream?: boolean;
}

/** `n_ctx`: its context window, in tokens. */
export interface ModelLoaded extends RecordBody {
  model: string;
  seconds?: number;
  bytes?: number;
  progress?: number | null;
  n_ctx?: number;
}

/** `error` is "cancelled" of a call that was stopped. `searches`: billed ones with Google. Times are in seconds. */
export interface ModelFinished extends RecordBody {
  call: number;
  model?: string;
  answered_by?: string;
  usage?: Tokens;
  searches?: number;
  duration?: number;
  first_token?: number | null;
  stop_reason?: string;
  error?: string;
  error_code?: string;
  /** The text of an answer that became no event. */
  answer?: string;
  /** Limits that the server's grammar needed and no schema has: most characters of a text, most items of a list. */
  limits?: { characters?: number; items?: number };
}

export interface ModelRetry extends RecordBody {
  call: number;
  model: string;
  attempt: number;
  delay: number;
  code: string;
  error?: string;
}

export interface Forked extends RecordBody {
  /** The id of the session that it came from. */
  origin: string;
  /** What was changed, in words; "" for nothing. */
  what?: string;
}

export interface CaseRun extends RecordBody {
  /** The case's name. */
  case: string;
  outcome: string;
  /** What did not hold; "" if all did. */
  what?: string;
}

export interface CasesTried extends RecordBody {
  tried?: number;
  /** Names of the cases that the delta breaks. */
  broken?: string[];
  /** Why some cases were not tried. */
  problems?: string[];
  /** Why none could be tried. */
  why?: string;
}

export interface RouteDecided extends RecordBody {
  router?: string;
  level?: "agent" | "model";
  key?: string | null;
  candidates?: string[];
  failed?: string[];
  reason?: string;
  error?: string;
}

export interface FaultInjected extends RecordBody {
  fault: string;
  target?: string;
  model?: string;
  call?: number;
  seconds?: number;
}

export interface PlaybookGiven extends RecordBody {
  playbook: string;
  revision: number;
  bullets: number;
  bullet_ids: string[];
  chosen?: boolean;
}

/** A playbook at a revision. */
export interface PlaybookPlace {
  playbook: string;
  revision: number;
  bullets?: number;
}
