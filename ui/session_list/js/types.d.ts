/** What the page, the server and the list tell each other; see `ui.session_list`. */

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

/** A session that a query found; see `ui.session_list.listing`. */
export interface FoundRow extends Row {
  tags: string[];
  /** What else is known of it, each in a few words. */
  facts: string[];
  /** How far below an origin that is listed above it. */
  depth: number;
  /** What this user may do to it. */
  may: Act["kind"][];
  excerpt?: string;
}

/** What the page gives. */
export type Data = CompactData | FullData;

export interface CompactData {
  look: "compact";
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

export interface FullData {
  look: "full";
  /** Differs after each change that the page made. */
  version: number;
  /** Names and titles of the pipelines. */
  pipelines: [string, string][];
}

/** A frame of the server; see `ui.web.routes.sessions`. */
export type Frame =
  | { type: "list"; rows: Row[]; found: number }
  | { type: "changes"; rows: Row[]; gone: [string, string][]; found: number }
  | { type: "error"; message: string };

/** What the compact list asks the server for. */
export interface Query {
  /** "" for all. */
  pipeline: string;
  /** Words of titles. */
  words: string;
  limit: number;
}

/** Whose sessions the compact list has. */
export type Scope = "pipeline" | "all";

/** How exactly a time is shown. */
export type Precision = "minute" | "second";

/** What the full list looks for; "" is anything. */
export interface SearchQuery {
  q: string;
  pipeline: string;
  status: string;
  tag: string;
}

/** The server's answer to a search; see `ui.web.routes.collection`. */
export interface Answer {
  rows: FoundRow[];
  found: number;
  count: number;
  size: string;
  unread: number;
  pipelines: string[];
  statuses: [string, string][];
  tags: string[];
}

/** What a look lists. */
export interface Listing {
  rows: Row[];
  /** What is said above the rows; "" for nothing. */
  note: string;
  /** A button below the rows. */
  more: { label: string; act: () => void } | null;
}

/** What a look shows of a row beside its title, outcome and age. */
export interface RowLook {
  /** Whether the page shows the session, or will. */
  current: boolean;
  selected: boolean;
  /** What is said after outcome and age. */
  facts: string[];
  /** What is said in lines of their own. */
  lines: { fork?: string; apart?: string; pipeline?: string; excerpt?: string };
  tags?: string[];
  /** Levels of indentation. */
  depth?: number;
}

/** How a row is shown. */
export interface Shown extends RowLook {
  opening: boolean;
  href: string;
  /** Seconds since the epoch. */
  now: number;
}

/** What makes a list compact or full: the parts above its rows, where its rows come from, and what is said of each. */
export interface Look {
  elements: HTMLElement[];
  /** Selects a row or no longer; a look without has no boxes. */
  select?: (key: string, on: boolean) => void;
  /** Takes what the page says; answers whether the session `opening` has opened, or no longer will. */
  update(data: Data, opening: string): boolean;
  listing(): Listing;
  /** `opening` is the key of the session that is about to open. */
  row(row: Row, opening: string, now: number): RowLook;
  close(): void;
}

/** What a look tells its list. */
export interface List {
  /** Something is to be drawn anew. */
  paint: () => void;
  focusRows: () => void;
  act: (act: Act) => void;
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
