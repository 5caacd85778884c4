// @ts-check
/** The form of a call that the user answers in a model's place: what a model would be sent, and what it may do. */

import { h } from "../../../browser/js/elements.js";
import { isObject, writeJson } from "../../../browser/js/json.js";
import { drawParts, drawShares } from "../inspector/tabs/prompt/prompt_parts.js";
import { promptAsked } from "../prompt/asked.js";
import { count } from "../words/format.js";
import { button, buttons, drawField, drawReason } from "../cards/controls.js";
import { fieldsOfSchema, readSchemaFields } from "./schema_fields.js";

/** @import { Child, Json } from "../../../browser/js/types.d.ts" */
/** @import { PendingCall } from "../log/folds.d.ts" */
/** @import { Look } from "../inspector/types.d.ts" */
/** @import { AsModel, Form, SchemaField } from "../cards/types.d.ts" */

const TRANSFER = "transfer_to_agent";

/**
 * @param {PendingCall} call
 * @param {Form} form
 * @returns {Child[]}
 */
export function drawAsModel(call, form) {
  const typed = (form.draft.asModel ??= begun(call));
  if (form.draft.form === "reject") return [drawSent(call, form, typed), ...drawRefusal(form)];
  const tools = toolsOf(call);
  const targets = tools.filter(({ name }) => name === TRANSFER).flatMap(targetsOf);
  return [
    drawSent(call, form, typed),
    drawAnswer(form, typed),
    typed.calls.map((made, i) => drawCall(made, i, form, typed)),
    drawOffered(tools.filter(({ name }) => name !== TRANSFER || !targets.length), form, typed),
    drawTargets(targets, form),
    form.draft.errors.answer && h("p.problem.note", { role: "alert" }, form.draft.errors.answer),
    buttons(
      button("Answer", "answer", () => answer(form, typed), { off: form.off, look: "main", sign: "answer" }),
      button("Pass", "pass", () => form.give({ pass: true }), { off: form.off }),
      button("Refuse", "reject", () => open(form), { off: form.off, look: "danger", sign: "cross_out" }),
      h("span.quiet", {}, "Pass lets the usual model answer this call."),
    ),
    limitWords(call) && h("p.said", {}, limitWords(call)),
  ];
}

/**
 * @param {PendingCall} call
 * @returns {AsModel}
 */
function begun({ args }) {
  const fields = fieldsOfSchema(args.schema);
  return { calls: [], fields: fields.length ? fields : null, open: new Set() };
}

/** @param {PendingCall} call */
function toolsOf({ args }) {
  return /** @type {Record<string, Json>[]} */ (Array.isArray(args.tools) ? args.tools.filter(isObject) : []);
}

/** @param {Record<string, Json>} tool */
function targetsOf({ parameters }) {
  const names = parameters?.properties?.agent_name?.enum;
  return /** @type {string[]} */ (Array.isArray(names) ? names.map(String) : []);
}

/**
 * The prompt, coloured by source as on the tab Prompt; folded, since it can be long.
 * @param {PendingCall} call
 * @param {Form} form
 * @param {AsModel} typed
 */
function drawSent(call, { log, onSelect, show }, { open }) {
  const isOpen = open.has("sent");
  const toggle = (/** @type {string} */ key) => {
    if (!open.delete(key)) open.add(key);
    show(`[data-fold="${key}"]`);
  };
  const prompt = promptAsked(log(), call);
  const tokens = prompt.parts.reduce((sum, part) => sum + part.tokens, 0);
  const look = /** @type {Look} */ (/** @type {unknown} */ ({
    log: log(),
    select: onSelect,
    isOpen: (/** @type {string} */ key) => open.has(key),
    toggle,
  }));
  const label = `${isOpen ? "Hide" : "Show"} what the model is sent, about ${count(tokens)} tokens`;
  return h(
    "div.as-sent",
    {},
    h(
      "button.plain",
      { type: "button", "data-fold": "sent", "aria-expanded": String(isOpen), onclick: () => toggle("sent") },
      label,
    ),
    drawShares(prompt, tokens),
    isOpen && h("div.sent-parts", {}, drawParts(prompt.parts, tokens, look)),
  );
}

/**
 * @param {Form} form
 * @param {AsModel} typed
 */
function drawAnswer(form, { fields }) {
  if (fields) return drawFields(fields, form, "the output schema", "");
  const { draft, off } = form;
  const field = drawField({ kind: "long", held: draft.text }, {
    label: "What the model says",
    error: undefined,
    off,
    onDone: () => answer(form, /** @type {AsModel} */ (draft.asModel)),
    onChange: (held) => (draft.text = String(held)),
  });
  return h("div.fields.wide", {}, field);
}

/**
 * @param {SchemaField[]} fields
 * @param {Form} form
 * @param {string} what they are of
 * @param {string} key before the names of errors
 */
function drawFields(fields, form, what, key) {
  const drawn = fields.map((field) =>
    drawField(field, {
      label: [field.name, field.type && `(${field.type}${field.required ? "" : ", optional"})`].filter(Boolean).join(" "),
      about: field.about,
      error: form.draft.errors[`${key}${field.name}`],
      off: form.off,
      onDone: () => answer(form, /** @type {AsModel} */ (form.draft.asModel)),
      onChange: (held) => (field.held = String(held)),
    })
  );
  return h("div.fields", { role: "group", "aria-label": `Fields of ${what}` }, drawn);
}

/**
 * @param {AsModel["calls"][number]} made
 * @param {number} i
 * @param {Form} form
 * @param {AsModel} typed
 */
function drawCall(made, i, form, typed) {
  const remove = () => {
    typed.calls.splice(i, 1);
    form.show("[data-do=answer]");
  };
  return h(
    "fieldset.tool-call",
    {},
    h("legend", {}, "Call ", h("code", {}, made.name)),
    made.about && h("p.said", {}, made.about),
    made.fields.length ? drawFields(made.fields, form, made.name, `${i}.`) : h("p.said", {}, "It takes no arguments."),
    buttons(button("Do not call it", `remove-${i}`, remove, { off: form.off })),
  );
}

/**
 * A button for each tool: it adds a call, since a model may make several at once.
 * @param {Record<string, Json>[]} tools
 * @param {Form} form
 * @param {AsModel} typed
 */
function drawOffered(tools, { off, show }, typed) {
  if (!tools.length) return null;
  const add = (/** @type {Record<string, Json>} */ { name, description, parameters }) => () => {
    typed.calls.push({ name: String(name), about: String(description ?? ""), fields: fieldsOfSchema(parameters) });
    show(".tool-call:last-of-type :is(input, textarea, select, button)");
  };
  return h(
    "div.buttons",
    { role: "group", "aria-label": "Tools" },
    tools.map((tool) => button(`Call ${tool.name}`, `call-${tool.name}`, add(tool), { off, sign: "tool" })),
  );
}

/**
 * @param {string[]} targets
 * @param {Form} form
 */
function drawTargets(targets, { off, give }) {
  if (!targets.length) return null;
  const transfer = (/** @type {string} */ agent) => () => give({ calls: [{ name: TRANSFER, args: { agent_name: agent } }] });
  return h(
    "div.buttons",
    { role: "group", "aria-label": "Transfer" },
    targets.map((agent) => button(`Transfer to ${agent}`, `to-${agent}`, transfer(agent), { off, sign: "handover" })),
  );
}

/** @param {Form} form */
function open({ draft, show }) {
  Object.assign(draft, { form: "reject", errors: {} });
  show("input");
}

/** @param {Form} form */
function drawRefusal(form) {
  return drawReason(form, {
    label: "Refuse",
    name: "refuse",
    question: "Why not? It is the error that the agent ends with.",
    send: (reason) => form.give({ refuse: reason }),
  });
}

/**
 * Sends what was typed, or shows what is wrong with it.
 * @param {Form} form
 * @param {AsModel} typed
 */
function answer({ draft, give, show }, { calls, fields }) {
  draft.errors = {};
  const made = calls.map(({ name, fields: given }, i) => {
    const { values, errors } = readSchemaFields(given);
    for (const [field, words] of Object.entries(errors)) draft.errors[`${i}.${field}`] = words;
    return { name, args: values };
  });
  let text = draft.text;
  if (fields) {
    const { values, errors } = readSchemaFields(fields);
    const untouched = calls.length > 0 && fields.every(({ held }) => held === "");
    if (!untouched) Object.assign(draft.errors, errors);
    text = untouched ? "" : writeJson(values);
  }
  if (!text.trim() && !calls.length) draft.errors.answer = "Type what the model says, call a tool, pass, or refuse.";
  if (Object.keys(draft.errors).length) return show(draft.errors.answer ? "textarea" : "[aria-invalid=true]");
  give({ ...(text.trim() && { text }), ...(made.length > 0 && { calls: made }) });
}

/** @param {PendingCall} call */
function limitWords({ args: { seconds }, at }) {
  if (typeof seconds !== "number") return "";
  const until = new Date((at + seconds) * 1000);
  return `Without an answer until ${until.toLocaleTimeString()}, the usual model answers.`;
}
