/** Values as Python gives them to the stage. */

export function question(fields = {}) {
  const verdict = { verdict: "right", sign: "✓", beside: "Judged by a thumb." };
  return { head: "Monday, question 1 of 12", question: "How high is it?", answer: "Answer: 2.5", ...verdict, ...fields };
}

export function learned(...texts) {
  const bullets = texts.map((text, at) => ({ id: `b-${at + 1}`, text, taken: false }));
  return { place: "demo 1", bullets, kept: `${texts.length} bullets`, others: "" };
}

export function row(fields = {}) {
  return { kind: "cited", note: "cites", id: "b-1", text: "a = b / c", more: "written on Monday", ...fields };
}

export function line(fields = {}) {
  const points = [[1, 10], [10, 90]];
  return { label: "right, one", score: "1 of 2", colour: "#6366f1", dashes: [1, 0], points, ...fields };
}

export function chart(fields = {}) {
  const ticks = { below: [[0, "0"], [10, "10"]], beside: [[0, "0"], [100, "100"]] };
  const parts = { lines: [line()], marks: [], bands: [], signs: [] };
  return { title: "Tokens", across: 10, up: 100, ...ticks, axis: "questions", ...parts, ...fields };
}

/** Of a lab demo. */
export function picture(fields = {}) {
  const cells = [
    { sign: "✓", verdict: "right", lit: false, apart: false, about: "question 1" },
    { sign: "✗", verdict: "wrong", lit: true, apart: true, about: "question 2" },
  ];
  return {
    layout: "moments",
    now: null,
    say: "46 lines before, 7 after.",
    more: "All of it is kept.",
    score: "",
    charts: [chart()],
    strips: [{ label: "one", colour: "#6366f1", dashes: [1, 0], score: "1 of 2", cells }],
    columns: [{ title: "After", short: false, rows: [row({ kind: "kept", note: "✓", id: "", text: "a = b", more: "" })] }],
    ...learned(),
    kept: "",
    note: "A closed world.",
    fills: true,
    ...fields,
  };
}

/** Of the story. */
export function board(fields = {}) {
  const cells = [{ sign: "✗", verdict: "wrong" }, { sign: "✓", verdict: "right" }];
  return picture({
    layout: "board",
    now: question(),
    say: "",
    more: "",
    score: "1 of 2",
    charts: [],
    strips: [{ label: "Monday", colour: "", dashes: [], score: "", cells }],
    columns: [{ title: "", short: false, rows: [row()] }],
    ...learned("a = b / c"),
    note: "",
    ...fields,
  });
}
