// @ts-check
/** A model call's request put together from its record, the log and the texts that the record names. */

import { stateAt } from "../log/folds/state.js";
import { placeUpTo } from "../log/places.js";
import { historyFor } from "./history.js";
import { isSummary } from "./hidden.js";
import { instructionParts } from "./instruction.js";
import { memo } from "./memo.js";
import { countTokens } from "./tokens.js";
import { parseJson, writeJson } from "../../../browser/js/json.js";

/** @import { Json } from "../../../browser/js/types.d.ts" */
/** @import { Entry, EventEntry, Part } from "../log/entries.d.ts" */
/** @import { Log } from "../log/folds.d.ts" */
/** @import { CallRecord, Given, Prompt, PromptPart, SentContent } from "./types.d.ts" */

/**
 * @param {Log} log
 * @param {CallRecord} record
 * @param {(name: string) => string | undefined} textOf a text by its name
 * @returns {Prompt}
 */
export function promptOf(log, record, textOf) {
  const { seq, body } = record.started;
  const { contents: rule, instruction: named, filled = [], config, declarations, schema } = body;
  const read = (/** @type {string | null | undefined} */ name) => name == null ? undefined : textOf(name);
  const instruction = read(named) ?? "";
  const select = rule?.select ?? rule?.chosen_from;
  const events = select ? eventsUpTo(log, rule?.until ?? 0) : [];
  const sentBy = (/** @type {EventEntry[]} */ some) =>
    select ? historyFor(some, { ...body, branch: body.branch ?? null, select }) : [];
  const history = sentBy(events);
  const contents = rule?.select ? history : writtenContents(read(rule?.text));
  const declared = listOf(jsonOf(read(declarations)));
  const answersIn = jsonOf(read(schema)) ?? null;
  const { state } = stateAt(log, seq);
  const given = bulletsGiven(log, record);
  return {
    record,
    instruction,
    contents,
    config: Object(jsonOf(read(config))),
    declarations: declared,
    schema: answersIn,
    parts: [
      ...instructionParts({ instruction, filled: listOf(filled).filter(isPlace), state, given }),
      ...contents.map(contentPart),
      ...toolParts(declared, body.tools ?? []),
      ...(answersIn === null ? [] : [part("schema", "answer", writeJson(answersIn, null, 2))]),
    ],
    answer: listOf(jsonOf(read(record.finished?.body.answer))?.content?.parts).filter(isPart),
    leftOut: rule?.chosen_from ? without(history, contents).map(contentPart) : [],
    summedUp: events.some(isSummary)
      ? without(sentBy(events.filter((one) => !isSummary(one))), history).map(contentPart)
      : [],
    inexact: rule?.count != null && rule.count !== contents.length,
  };
}

/**
 * @param {Json} place
 * @returns {place is [number, number, string]}
 */
function isPlace(place) {
  return Array.isArray(place) && place[0] >= 0 && place[1] >= place[0] && typeof place[2] === "string";
}

/**
 * @param {PromptPart["kind"]} kind
 * @param {string} name
 * @param {string} text
 * @returns {PromptPart}
 */
function part(kind, name, text) {
  return { kind, name, text, tokens: countTokens(text), seq: null };
}

/**
 * JSON of a stored text; undefined where there is none, or it is no JSON: a log may come from elsewhere.
 * @param {string | undefined} text
 * @returns {Json | undefined}
 */
function jsonOf(text) {
  try {
    return text === undefined ? undefined : parseJson(text);
  } catch {
    return undefined;
  }
}

/**
 * @param {Json | undefined} value
 * @returns {Json[]}
 */
function listOf(value) {
  return Array.isArray(value) ? value : [];
}

/**
 * The messages of a history that were not sent, whatever was sent besides; of equal ones the earlier.
 * @param {SentContent[]} history
 * @param {SentContent[]} sent
 */
function without(history, sent) {
  const key = (/** @type {SentContent} */ { role, parts }) => `${role} ${parts.map(partText).join("\n")}`;
  /** @type {Map<string, number>} */
  const left = new Map();
  for (const name of sent.map(key)) left.set(name, (left.get(name) ?? 0) + 1);
  return history.toReversed().filter((content) => {
    const name = key(content);
    const rest = left.get(name) ?? 0;
    left.set(name, rest - 1);
    return rest <= 0;
  }).toReversed();
}

/**
 * @param {Log} log
 * @param {number} seq
 */
function eventsUpTo({ entries, eventPlaces }, seq) {
  const last = placeUpTo(eventPlaces, seq, (place) => entries[place].seq);
  return /** @type {EventEntry[]} */ (eventPlaces.slice(0, last + 1).map((place) => entries[place]));
}

/**
 * Contents that a callback or a tool may have changed: they are in the record as they were sent.
 * @param {string | undefined} text
 * @returns {SentContent[]}
 */
function writtenContents(text) {
  return listOf(jsonOf(text)).map((content) => {
    const role = String(content?.role ?? "user");
    return { role, parts: listOf(content?.parts).filter(isPart), seq: null, author: role };
  });
}

/**
 * @param {Json} part
 * @returns {part is Part}
 */
function isPart(part) {
  return part !== null && typeof part === "object";
}

/** A message as a part of the prompt. */
const contentPart = memo((/** @type {SentContent} */ { parts, seq, author }) => {
  const measured = parts.map(measuredPart);
  const text = measured.map((one) => one.text).join("\n");
  const tokens = measured.reduce((sum, one) => sum + one.tokens, measured.length - 1);
  return /** @type {PromptPart} */ ({ kind: "history", name: author, text, tokens, seq });
});

const measuredPart = memo((/** @type {Part} */ sent) => {
  const text = partText(sent);
  return { text, tokens: countTokens(text) };
});

/**
 * A part of a message as text.
 * @param {Part} sent
 * @returns {string}
 */
export function partText(sent) {
  const { text, function_call: call, function_response: answer, inline_data: data } = sent;
  if (text !== undefined) return String(text);
  if (call) return `${call.name}(${writeJson(call.args ?? {})})`;
  if (answer) return `${answer.name} → ${writeJson(answer.response ?? null)}`;
  if (data) return `[${data.mime_type}, ${data.data?.length ?? 0} characters of base64]`;
  return writeJson(sent);
}

/**
 * @param {Json[]} declared
 * @param {string[]} names of tools, of which an older record knows no more
 */
function toolParts(declared, names) {
  const functions = declared.flatMap((tool) => tool?.function_declarations ?? [tool]);
  if (!functions.length) return names.map((name) => ({ ...part("tools", name, ""), tokens: 0 }));
  return functions.map((tool) => part("tools", tool?.name ?? "built-in tool", writeJson(tool, null, 2)));
}

/**
 * The bullets that the run of a call was given before it.
 * @param {Log} log
 * @param {CallRecord} record
 * @returns {Given | null}
 */
function bulletsGiven(log, { started }) {
  for (let i = (log.places.get(started.seq) ?? 0) - 1; i >= 0; i--) {
    /** @type {Entry} */
    const { kind, seq, body } = log.entries[i];
    if (body.invocation_id !== started.body.invocation_id) break;
    if (kind !== "playbook_given") continue;
    return { seq, ids: new Set(body.bullet_ids), place: { playbook: body.playbook, revision: body.revision } };
  }
  return null;
}
