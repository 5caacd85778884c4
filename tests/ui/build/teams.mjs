/** A team as the page gives it: a loop of a writer and a critic, and a joiner after it. */

const FIELDS = [
  { name: "instruction", label: "Instruction", kind: "instruction", help: "", folded: false, choices: [] },
  { name: "tools", label: "Tools", kind: "tools", help: "", folded: false, choices: [] },
  { name: "output_key", label: "Output key", kind: "line", help: "", folded: false, choices: [] },
  {
    name: "include_contents",
    label: "Include contents",
    kind: "choice",
    help: "",
    folded: false,
    choices: ["default", "none"],
  },
  { name: "output_retries", label: "Output retries", kind: "number", help: "", folded: true, choices: [] },
  { name: "disallow_transfer_to_peers", label: "Peers", kind: "switch", help: "", folded: true, choices: [] },
];
const EDGES = { name: "edges", label: "Edges", kind: "edges", help: "", folded: false, choices: [] };
export const KINDS = [
  { name: "LlmAgent", class: "LlmAgent", label: "agent", sign: "●", holds: false, wraps: false, fields: FIELDS },
  { name: "SequentialAgent", class: "SequentialAgent", label: "in order", sign: "→", holds: true, wraps: true, fields: [] },
  { name: "LoopAgent", class: "LoopAgent", label: "loop", sign: "↻", holds: true, wraps: true, fields: [] },
  { name: "Workflow", class: "Workflow", label: "graph", sign: "⬡", holds: true, wraps: true, fields: [EDGES] },
  { name: "JoinNode", class: "JoinNode", label: "join", sign: "⋈", holds: false, wraps: false, node: true, fields: [] },
];

export function agent(name, parent, more = {}) {
  const kind = more.kind ?? "LlmAgent";
  return { name, parent, kind, file: `${name}.yaml`, fields: {}, tools: [], called: false, problem: "", ...more };
}

export const AGENTS = [
  agent("team", null, { kind: "SequentialAgent", file: "root_agent.yaml" }),
  agent("loop", "team", { kind: "LoopAgent" }),
  agent("writer", "loop", { fields: { instruction: "Write.", output_key: "draft" } }),
  agent("critic", "loop", { fields: { instruction: "Judge {draft}." } }),
  agent("joiner", "team"),
];

export function team(more = {}) {
  const tools = [{ label: "exit_loop", about: "Ends the loop.", use: { name: "exit_loop" } }];
  const none = { findings: [], refused: [], coded: false, locked: false };
  return {
    agents: AGENTS,
    kinds: KINDS,
    tools,
    keys: [["draft", ["writer"]]],
    agent: "writer",
    field: "",
    visit: 0,
    done: 0,
    ...none,
    ...more,
  };
}

/** A graph: a writer, a question with two answers, and a join. */
export const GRAPH = [
  agent("desk", null, {
    kind: "Workflow",
    file: "root_agent.yaml",
    fields: {
      edges: [
        { from: "START", to: "writer", route: null },
        { from: "writer", to: "ask", route: null },
        { from: "ask", to: "writer", route: "again" },
      ],
    },
  }),
  agent("writer", "desk"),
  agent("ask", "desk", { kind: "QuestionNode", fields: { options: ["good", "again"] } }),
  agent("both", "desk", { kind: "JoinNode" }),
];
