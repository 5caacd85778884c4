import assert from "node:assert/strict";
import { test } from "node:test";
import {
  artifactUrl,
  lessonPage,
  logUrl,
  playbookPage,
  sessionPage,
  settingsPage,
} from "../../../../ui/browser/js/addresses.js";
import { Script, servedPage } from "../../js/served_page.mjs";

globalThis.HTMLScriptElement = Script;

test("pages stand below the base path, and what is put into an address stays a value", () => {
  assert.equal(settingsPage("/"), "/settings");
  assert.equal(settingsPage("/lab/", "prices"), "/lab/settings?tab=prices");
  assert.equal(settingsPage("/", "", "?session=s%26&tab=event&event=3&model=m"), "/settings?session=s%26&model=m");
  assert.equal(lessonPage("/lab/", "p&q", "?session=s&model=m"), "/lab/gallery?pipeline=p%26q&model=m");
  assert.equal(lessonPage("/", "p", ""), "/gallery?pipeline=p");
  assert.equal(sessionPage("/lab/", { pipeline: "p", session: "a&b=c#d" }), "/lab/?pipeline=p&session=a%26b%3Dc%23d");
});

test("the socket is as secure as the page, and asks for what comes after an entry", () => {
  const from = { pipeline: "a b", session: "s&t", after: 7 };
  const script = "http://here:1/lab/static/js/index.js";
  assert.equal(logUrl(from, servedPage(script)), "ws://here:1/lab/api/log?pipeline=a+b&session=s%26t&after=7");
  assert.match(logUrl(from, servedPage(null, { protocol: "https:" })), /^wss:/);
});

test("the Playbook page at a revision, and at a bullet", () => {
  assert.equal(
    playbookPage("/", { playbook: "ace", revision: 3, bullet: "a-1" }),
    "/playbook?playbook=ace&revision=3&bullet=a-1",
  );
  assert.equal(playbookPage("/", { playbook: "ace", revision: null }), "/playbook?playbook=ace");
});

test("a file's address holds any name", () => {
  const url = artifactUrl("/base/", { pipeline: "p", session: "s&x", name: "user:a b/ü.png", version: 3 });
  const query = new URLSearchParams(url.slice(url.indexOf("?")));
  assert.ok(url.startsWith("/base/api/artifact?"));
  assert.deepEqual(Object.fromEntries(query), { pipeline: "p", session: "s&x", name: "user:a b/ü.png", version: "3" });
});
