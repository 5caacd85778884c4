/** What the page, the socket and the list tell each other; see `ui.session_list`. */

/** A session in the list; see `ui.session_list.rows`. */
export interface Row {
  pipeline: string;
  id: string;
  title: string;
  status: string;
  /** The status as sign and word. */
  outcome: string;
  /** What answered last; "" for the simulated model and for nothing. */
  model: string;
  /** Seconds since the epoch. */
  updated: number;
  /** A fork in words, e.g. "fork: playbook off"; "" for any other session. */
  fork: string;
}

/** What the page gives. */
export interface Data {
  pipeline: string;
  /** The open session. */
  session: string | null;
  /** The newest sessions of the pipeline, and the open one. */
  rows: Row[];
  /** How many sessions the pipeline has. */
  total: number;
  /** Names and titles of the pipelines. */
  pipelines: [string, string][];
}

/** A frame of the server; see `ui.web.routes.sessions`. */
export type Frame =
  | { type: "list"; rows: Row[]; found: number }
  | { type: "changes"; rows: Row[]; gone: [string, string][]; found: number }
  | { type: "error"; message: string };

/** What the server is asked for. */
export interface Query {
  /** "" for all. */
  pipeline: string;
  /** Words of titles. */
  words: string;
  limit: number;
}

/** Whose sessions are listed. */
export type Scope = "pipeline" | "all";

/** How exactly a time is shown. */
export type Precision = "minute" | "second";

/** How the page is told. */
export interface Api {
  setTriggerValue: (name: "open", value: { pipeline: string; session: string }) => void;
}
