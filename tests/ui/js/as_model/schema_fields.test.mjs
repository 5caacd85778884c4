import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldsOfSchema, readSchemaFields } from "../../../../ui/session_view/js/as_model/schema_fields.js";

const TRIP = {
  $defs: { Stop: { type: "object", properties: { city: { type: "string" } } } },
  properties: {
    title: { type: "string", description: "What to call it" },
    days: { type: "integer" },
    price: { anyOf: [{ type: "number" }, { type: "null" }] },
    kind: { enum: ["train", "boat"] },
    paid: { type: "BOOLEAN" },
    stops: { type: "array", items: { $ref: "#/$defs/Stop" } },
    first: { $ref: "#/$defs/Stop" },
    any: {},
  },
  required: ["title", "days"],
};

/** The fields of a schema, filled by name. */
function filled(schema, values) {
  const fields = fieldsOfSchema(schema);
  for (const field of fields) field.held = values[field.name] ?? "";
  return fields;
}

test("each property of a schema is a field of its kind", () => {
  assert.deepEqual(fieldsOfSchema(TRIP).map(({ name, kind, required, type }) => [name, kind, required, type]), [
    ["title", "long", true, "text"],
    ["days", "number", true, "whole number"],
    ["price", "number", false, "number"],
    ["kind", "choice", false, ""],
    ["paid", "choice", false, ""],
    ["stops", "json", false, "list in JSON"],
    ["first", "json", false, "object in JSON"],
    ["any", "json", false, "any value in JSON"],
  ]);
  assert.equal(fieldsOfSchema(TRIP)[0].about, "What to call it");
});

test("a schema that names no fields, or goes round, has none", () => {
  for (
    const schema of [undefined, null, "text", [], { type: "string" }, {
      $ref: "#/$defs/A",
      $defs: { A: { $ref: "#/$defs/A" } },
    }]
  ) {
    assert.deepEqual(fieldsOfSchema(schema), []);
  }
});

test("what fields hold is a value of the schema; what is left empty is left out", () => {
  const held = { title: "North", days: "3", kind: "1", paid: "1", stops: '[{"city": "Oslo"}]' };
  assert.deepEqual(readSchemaFields(filled(TRIP, held)), {
    values: { title: "North", days: 3, kind: "boat", paid: false, stops: [{ city: "Oslo" }] },
    errors: {},
  });
});

test("what is missing or of the wrong type is said by field", () => {
  const { errors } = readSchemaFields(filled(TRIP, { days: "2.5", price: "much", stops: "[" }));
  assert.deepEqual(Object.keys(errors), ["title", "days", "price", "stops"]);
  assert.match(errors.title, /needed/);
  assert.match(errors.days, /whole number/);
  assert.match(errors.price, /number/);
  assert.match(errors.stops, /not JSON yet/);
});
