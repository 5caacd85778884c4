// @ts-check
/** The form of a call that asks for approval: approve it, reject it with a reason, or approve it with other arguments. */

import { h } from "../../../browser/js/elements.js";
import { button, buttons, closeForm, drawField, drawReason, drawValues } from "./controls.js";
import { fieldsOf, readEdits } from "./fields.js";

/** @import { Child } from "../../../browser/js/types.d.ts" */
/** @import { PendingCall } from "../log/folds.d.ts" */
/** @import { Form } from "./types.d.ts" */

/**
 * @param {PendingCall} call
 * @param {Form} form
 * @returns {Child[]}
 */
export function drawApproval(call, form) {
  if (form.draft.form === "edit") return drawEditing(call, form);
  const values = { ...call.args, ...payloadOf(call) };
  if (form.draft.form === "reject") return [drawValues(values), ...drawRejection(form)];
  const { draft, off, give, show } = form;
  /** @type {(form: "reject" | "edit", focus: string) => () => void} */
  const open = (name, focus) => () => {
    Object.assign(draft, { form: name, errors: {} });
    show(focus);
  };
  return [
    drawValues(values),
    buttons(
      button("Approve", "approve", () => give({ confirmed: true }), { off, look: "main", sign: "check" }),
      button("Reject", "reject", open("reject", "input"), { off, look: "danger", sign: "cross_out" }),
      Object.keys(values).length > 0 && button("Edit arguments", "edit", open("edit", "input, textarea"), { off }),
    ),
  ];
}

/** @param {Form} form */
function drawRejection(form) {
  return drawReason(form, {
    label: "Reject",
    name: "reject",
    question: "Why not? The agent is told.",
    send: (reason) => form.give({ confirmed: false, ...(reason && { reason }) }),
  });
}

/**
 * @param {PendingCall} call
 * @param {Form} form
 */
function drawEditing(call, form) {
  const { draft, off, give, show } = form;
  const { args, payload } = (draft.fields ??= { args: fieldsOf(call.args), payload: fieldsOf(payloadOf(call)) });
  const approve = () => {
    const read = { args: readEdits(args), payload: readEdits(payload) };
    draft.errors = { ...read.args.errors, ...read.payload.errors };
    if (Object.keys(draft.errors).length) return show("[aria-invalid=true]");
    const edits = read.args.values;
    give({ confirmed: true, ...(Object.keys(edits).length > 0 && { args: edits }), ...read.payload.values });
  };
  const fields = [...args, ...payload].map((field) =>
    drawField(field, {
      label: field.name,
      error: draft.errors[field.name],
      off,
      onDone: approve,
      onChange: (held) => (field.held = held),
    })
  );
  return [
    h("div.fields", {}, fields),
    buttons(
      button("Approve with these", "approve", approve, { off, look: "main", sign: "check" }),
      button("Back", "back", () => closeForm(form), { off }),
    ),
  ];
}

/** @param {PendingCall} call */
function payloadOf({ payload }) {
  return payload === null ? {} : { payload };
}
