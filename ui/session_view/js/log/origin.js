// @ts-check
/** Where answers come from: a model, the built-in simulation, the record of a session. */

/** @import { EventBody, RunStarted } from "./entries.d.ts" */
/** @import { Origin, Replay, SessionPlace } from "./folds.d.ts" */

const SIMULATED = "simulated";
const REPLAY = /^replay\/([^/]+)\/(.+)$/;

/**
 * The models of a run by its `run_started`: the run's own, and those of single agents as [agent, model].
 * @param {Pick<RunStarted, "model" | "agent_models">} started
 * @returns {{ model: string | null; own: [string, string | null][] }}
 */
export function modelsOf({ model, agent_models: own }) {
  return { model: model ?? null, own: Object.entries(own ?? {}).filter(([, name]) => name) };
}

/**
 * What is to be said of a run's answers when it starts, as the terminal's `is_mixed` says it.
 * @param {RunStarted} started
 * @returns {Origin} `partly`: some are simulated, not all; `told` and `answered` are for `originAfter`
 */
export function originOf(started) {
  const { model, own } = modelsOf(started);
  const names = [model, ...own.map(([, name]) => name)].filter((name) => name != null);
  const simulated = started.simulated === true;
  const partly = simulated && names.some((name) => name !== SIMULATED && !isReplay(name));
  return {
    told: { simulated, partly },
    simulated,
    partly,
    replays: replaysIn(names),
    answered: { real: false, simulated: false },
  };
}

/**
 * The same once an agent answered: agents may bring along models of their own, of which the start of a run says nothing.
 * @param {Origin} origin
 * @param {EventBody} body
 * @returns {Origin}
 */
export function originAfter(origin, body) {
  const kind = isSimulatedEvent(body) ? "simulated" : isRealAnswer(body) ? "real" : null;
  if (!kind || origin.answered[kind]) return origin;
  const answered = { ...origin.answered, [kind]: true };
  const { told } = origin;
  return {
    ...origin,
    answered,
    simulated: told.simulated && (answered.simulated || !answered.real),
    partly: told.simulated && (told.partly || answered.real),
  };
}

/**
 * The model that a run asks for agents without one of their own; null where none is to be shown: that of a run without
 * simulated answers is not the simulation, all of its agents have other models.
 * @param {RunStarted} started
 */
export function shownModel({ model, simulated }) {
  return model === SIMULATED && !simulated ? null : (model ?? null);
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
