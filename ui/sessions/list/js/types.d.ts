/** What the page, the server and the list tell each other; see `ui.sessions`. */

import type { Row as Session } from "../../../session_list/js/types.d.ts";

/** A session in the list; see `ui.sessions.listing`. */
export interface Row extends Session {
  tags: string[];
  /** What else is known of it, each in a few words. */
  facts: string[];
  /** How far below an origin that is listed above it. */
  depth: number;
  /** What this user may do to it. */
  may: Act["kind"][];
  excerpt?: string;
}

/** What is looked for; "" is anything. */
export interface Query {
  q: string;
  pipeline: string;
  status: string;
  tag: string;
}

/** The server's answer to a query. */
export interface Answer {
  rows: Row[];
  found: number;
  count: number;
  size: string;
  unread: number;
  pipelines: string[];
  statuses: [string, string][];
  tags: string[];
}

/** What the page gives. */
export interface Data {
  /** Differs after each change that the page made. */
  version: number;
  /** Names and titles of the pipelines. */
  pipelines: [string, string][];
}

/** A session as the page is told of it. */
export type Key = [pipeline: string, id: string];

/** What is to be done. */
export type Act =
  | { kind: "open"; sessions: Key[] }
  | { kind: "compare"; sessions: Key[] }
  | { kind: "rename"; sessions: Key[]; title: string }
  | { kind: "tag"; sessions: Key[]; add: string[]; remove: string[] }
  | { kind: "delete"; sessions: Key[] };

/** How the page is told. */
export interface Api {
  setTriggerValue: (name: "act", value: Act) => void;
}
