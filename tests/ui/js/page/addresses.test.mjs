import assert from "node:assert/strict";
import { test } from "node:test";
import { sessionPage, settingsPage } from "../../../../ui/session_view/js/page/addresses.js";

test("pages stand below the base path, and what is put into an address stays a value", () => {
  assert.equal(settingsPage("/"), "/settings");
  assert.equal(settingsPage("/lab/", "prices"), "/lab/settings?tab=prices");
  assert.equal(settingsPage("/", "", "?session=s%26&tab=event&event=3&model=m"), "/settings?session=s%26&model=m");
  assert.equal(sessionPage("/lab/", { pipeline: "p", session: "a&b=c#d" }), "/lab/?pipeline=p&session=a%26b%3Dc%23d");
});
