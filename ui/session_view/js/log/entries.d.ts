/** Entries of a session's log as the server sends them. Fields at their default are left out. */

import type { Json } from "../../../browser/js/types.d.ts";
import type { Records, RunFinished } from "./records.d.ts";

export type * from "./records.d.ts";

export type Entry = EventEntry | { [Kind in keyof Records]: RecordEntry<Kind> }[keyof Records];

export interface EntryOf<Kind extends string, Body> {
  seq: number;
  kind: Kind;
  body: Body;
}

/** An entry with a trace record. */
export type RecordEntry<Kind extends keyof Records> = EntryOf<Kind, Records[Kind]>;
export type EventEntry = EntryOf<"event", EventBody>;
export type Kind = Entry["kind"];

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
  custom_metadata?: { simulated?: boolean; replay?: Json; injected_fault?: Json; refusal?: Json; [key: string]: Json };
  grounding_metadata?: Json;
  url_context_metadata?: Json;
  /** What a node of a graph gives to the next. */
  output?: Json;
  node_info?: { path?: string; output_for?: string[]; message_as_output?: boolean };
}

/** A summary that stands in histories in place of earlier events. */
export interface Compaction {
  start_timestamp: number;
  end_timestamp: number;
  compacted_content: { role?: string; parts?: Part[] };
}

export interface Actions {
  compaction?: Compaction;
  rewind_before_invocation_id?: string;
  state_delta?: Record<string, Json>;
  artifact_delta?: Record<string, number>;
  escalate?: boolean;
  transfer_to_agent?: string;
  route?: string | number | boolean | (string | number | boolean)[];
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

export type RunStatus = "running" | RunFinished["status"];

/** A playbook at a revision. */
export interface PlaybookPlace {
  playbook: string;
  revision: number;
  bullets?: number;
}
