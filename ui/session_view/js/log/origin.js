// @ts-check
/** Where answers come from: a model, the built-in simulation, the record of a session. */

/** @import { EventBody, RunStarted } from "./entries.d.ts" */
/** @import { Origin, Replay, SessionPlace } from "./folds.d.ts" */

const REPLAY = /^replay\/([^/]+)\/(.+)$/;

/**
 * The models of a run by its `run_started`: the run's own, and those of single agents as [agent, model].
 * @param {Pick<RunStarted, "model" | "agent_models">} started
 * @returns {{ model: string | null; own: [string, string][] }}
 */
export function modelsOf({ model, agent_models: own }) {
  return { model: model ?? null, own: Object.entries(own ?? {}).filter(([, name]) => name) };
}

/** Names that providers of real models answer to. */
const REAL = /^(models\/)?gemini-|^(llama|ollama|local)\/|\.gguf$/;

/**
 * What is to be said of a run's answers when it starts.
 * @param {RunStarted} started
 * @returns {Origin} `partly`: some are
 *   simulated, not all; `told` and `asked` are for `originAfter`
 */
export function originOf(started) {
  const { model, own } = modelsOf(started);
  const names = [model, ...own.map(([, name]) => name)].filter((name) => name != null);
  const simulated = Boolean(started.simulated) || names.some(isSimulated);
  const partly = simulated && names.some((name) => REAL.test(name));
  return { told: { simulated, partly }, simulated, partly, replays: replaysIn(names), asked: { real: false, other: false } };
}

/**
 * The same once a model was asked: agents may bring along models of their own, of which the start of a run says nothing.
 * @param {Origin} origin
 * @param {string | undefined} model
 * @returns {Origin}
 */
export function originAfter(origin, model) {
  const kind = REAL.test(model ?? "") ? "real" : "other";
  if (origin.asked[kind]) return origin;
  const asked = { ...origin.asked, [kind]: true };
  const { told } = origin;
  return {
    ...origin,
    asked,
    simulated: told.simulated && (asked.other || !asked.real),
    partly: told.simulated && (told.partly || asked.real),
  };
}

/** @param {string} name */
function isSimulated(name) {
  return name.startsWith("simulated");
}

/**
 * Whether a name is that of a record.
 * @param {string} name
 */
export function isReplay(name) {
  return REPLAY.test(name);
}

/**
 * @param {string[]} names
 * @returns {SessionPlace[]}
 */
function replaysIn(names) {
  const found = new Map();
  for (const name of names) {
    const match = REPLAY.exec(name);
    if (match) found.set(name, { pipeline: match[1], session: match[2] });
  }
  return [...found.values()];
}

/**
 * Whether an event says that it was simulated.
 * @param {Pick<EventBody, "custom_metadata">} body
 */
export function isSimulatedEvent({ custom_metadata: more }) {
  return more?.simulated === true;
}

/**
 * Whether an event is a model's own answer, and none of a simulation.
 * @param {EventBody} body
 */
export function isRealAnswer(body) {
  return body.author !== "user" && Boolean(body.stop_reason) && !body.error_code && !isSimulatedEvent(body) &&
    !body.custom_metadata?.injected_fault;
}

/**
 * What an event says of the record that it was replayed from; null for any other.
 * @param {Pick<EventBody, "custom_metadata">} body
 * @returns {Replay | null} `where`: which run and call of it
 */
export function replayIn({ custom_metadata: more }) {
  const told = more?.replay;
  if (!told || typeof told !== "object") return null;
  const where = [told.run != null && `run ${told.run}`, told.position != null && `call ${told.position} of this agent`]
    .filter(Boolean).join(", ");
  return { session: String(told.session ?? ""), where, drifted: wordsOf(told.drifted) };
}

/**
 * What drifted, as words.
 * @param {unknown} drifted
 * @returns {string[]}
 */
export function wordsOf(drifted) {
  return Array.isArray(drifted) ? drifted.map(String) : drifted ? [String(drifted)] : [];
}
