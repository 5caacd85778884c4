/** Types of the team editor: what the page gives, and what it is told. */

import type { Json } from "../../browser/js/types.d.ts";

/** An agent of the team. They are listed as a reader meets them: each before those below it. */
export interface Agent {
  name: string;
  /** The agent above; null for the first. */
  parent: string | null;
  /** The class of its kind; "" for a class of the team's own. */
  kind: string;
  /** The file, below the team's folder. */
  file: string;
  /** Its fields, as the file has them; those with the control "yaml" as YAML. */
  fields: Record<string, Json>;
  tools: ToolUse[];
  /** Whether another agent's model calls it as a tool. */
  called: boolean;
  /** Why its file cannot be read; "" if it can. */
  problem: string;
}

/** An edge of a graph, between nodes by their names; the first is "START". */
export interface Edge {
  from: string;
  to: string;
  /** null for an edge that is always followed. */
  route: string | number | boolean | null;
}

/** A tool as a file names it. */
export interface ToolUse {
  name: string;
  args?: Record<string, Json>;
}

/** A class of agents. */
export interface Kind {
  /** As a new file names it. */
  name: string;
  /** Its name alone. */
  class: string;
  /** In a word or two, e.g. "loop". */
  label: string;
  /** A sign for it. */
  sign: string;
  /** Whether agents below it are run by it; those below an agent with a model are who it may transfer to. */
  holds: boolean;
  /** Whether an agent can be wrapped in it. */
  wraps: boolean;
  /** Whether it stands in a graph only, and has nothing below it. */
  node: boolean;
  fields: Field[];
}

/** A field of a class. */
export interface Field {
  name: string;
  label: string;
  kind: "line" | "text" | "instruction" | "number" | "switch" | "choice" | "tools" | "yaml" | "words" | "edges";
  help: string;
  /** Whether it is behind "More fields". */
  folded: boolean;
  /** For "choice" all values, of which the first is the usual one; for "line" what is offered. */
  choices: string[];
}

/** A tool that can be chosen. */
export interface Tool {
  label: string;
  about: string;
  /** What a file then says. */
  use: ToolUse;
}

/** Something that the review found. */
export interface Finding {
  agent: string;
  field: string;
  level: "error" | "warning";
  text: string;
}

/** A change that was not made: what was typed is kept. */
export interface Refused {
  number: number;
  text: string;
}

/** What the page gives. */
export interface Data {
  agents: Agent[];
  kinds: Kind[];
  tools: Tool[];
  /** State keys, each with the agents that write it. */
  keys: [string, string[]][];
  /** Whether the team has code, which may write state, too. */
  coded: boolean;
  findings: Finding[];
  /** The agent and the field to show; a place that the user was led to has another `visit`. */
  agent: string;
  field: string;
  visit: number;
  /** The last act that the page has seen. */
  done: number;
  refused: Refused[];
  /** Whether the team can only be read. */
  locked: boolean;
}

/** What is to be done. */
export type Act =
  | { kind: "select"; agent: string }
  | { kind: "set"; agent: string; field: string; value: Json }
  | { kind: "add"; agent_class: string; parent: string; position: number }
  | { kind: "add"; agent_class: string; parent: string; as_tool: true }
  | { kind: "wrap"; agent: string; agent_class: string }
  | { kind: "move"; agent: string; parent: string; position: number }
  | { kind: "remove"; agent: string }
  | { kind: "undo" }
  | { kind: "redo" };

/** An act with its number, which grows. */
export type Numbered = Act & { number: number };

/** How the page is told: all acts that it has not seen yet, so that none is lost where two come at once. */
export interface Api {
  setTriggerValue: (name: "acts", value: Numbered[]) => void;
}

/** What a field is changed with. */
export interface Control {
  /** Of the element that the label is for. */
  id: string;
  /** Whether a label is for it. */
  labelled: boolean;
  element: Element;
  update: (value: Json, given: Given) => void;
  /** Names the element that explains it. */
  describe: (id: string) => void;
  focus: () => void;
}

/** What a control is drawn with, beside its value. */
export interface Given {
  data: Data;
  agent: Agent;
  locked: boolean;
  /** The graph that the edges are those of. */
  graph?: Agent;
}

/** Takes what a field is to have; null for a field that is to go. */
export type Changed = (value: Json) => void;

/** A place below an agent. */
export interface Spot {
  parent: string;
  position: number;
}
