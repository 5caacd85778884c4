import { drawBullet } from "../../../../ui/session_view/js/parts/bullet_view.js";
import { linkToBullet, linkToPlaybook } from "../../../../ui/session_view/js/parts/playbook_links.js";
import { all, equal, show, test, textOf } from "../stage.mjs";

const PLACE = { playbook: "a & b", revision: 3 };
const BULLET = { id: "s-1", content: "Look twice.", helpful: 2, harmful: 1, neutral: 0 };
const tags = (...given) => all(show(drawBullet(PLACE, ...given)), ".tag").map(textOf);

test("links lead to a playbook at its revision, and to a bullet in it", () => {
  equal(linkToPlaybook(PLACE, "here").getAttribute("href"), "/playbook?playbook=a+%26+b&revision=3");
  equal(linkToBullet(PLACE, "s-1").getAttribute("href"), "/playbook?playbook=a+%26+b&revision=3&bullet=s-1");
  equal(linkToBullet({ playbook: "x", revision: null }, "s-1").getAttribute("href"), "/playbook?playbook=x&bullet=s-1");
});

test("a bullet has its text and counters; one on its way or missing says so", () => {
  const told = (bullet) => textOf(drawBullet(PLACE, { id: "s-1" }, bullet).querySelector(".text"));
  equal([told(BULLET), told(undefined), told(null)], ["Look twice.", "…", "There is no such bullet in revision 3."]);
  const counts = drawBullet(PLACE, { id: "s-1" }, BULLET).querySelector(".counts");
  equal([textOf(counts), counts.getAttribute("aria-label")], ["▲ 2 ▼ 1", "helpful 2, harmful 1, neutral 0"]);
});

test("what was done with a bullet is marked", () => {
  const marked = { id: "s-1", given: true, cited: true, tags: ["helpful", "odd"], changes: ["changed"] };
  equal(tags(marked, BULLET), ["cited", "▲ helpful", "· odd", "~ changed"]);
});

test("a bullet that was cited and not given is doubtful; of an earlier answer it may be gone", () => {
  equal(tags({ id: "s-1", given: false }, BULLET), ["not given"]);
  equal(tags({ id: "s-1", given: false }, null), ["not given, and unknown"]);
  equal(tags({ id: "s-1", given: false, judged: true }, null), ["gone since then"]);
  equal(tags({ id: "s-1", given: false, judged: true }, BULLET), []);
  equal(tags({ id: "s-1", given: null }, BULLET), [], "the record does not name all bullets");
});
