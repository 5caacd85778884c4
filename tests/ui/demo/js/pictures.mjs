/** Values as Python gives them to the components. */

const CURVE = { arm: "learning", label: "right", right: 2, of: 3, points: [[1, 0], [2, 0.5], [3, 1]] };

export function chart(fields = {}) {
  return { curves: [CURVE], questions: 4, cut: 0, ticks: [1, 2, 3], axis: "question → share", ...fields };
}

export function judged(fields = {}) {
  const verdict = { verdict: "right", sign: "✓", word: "right", beside: "Judged by a thumb." };
  return { head: "Monday, question 1 of 12", question: "How high is it?", answer: "Answer: 2.5", ...verdict, ...fields };
}

export function learned(...texts) {
  const bullets = texts.map((text, at) => ({ id: `b-${at + 1}`, text, taken: false }));
  return { place: "demo 1", bullets, kept: `${texts.length} bullets`, more: "" };
}

export function row(fields = {}) {
  return { kind: "cited", note: "cites", id: "b-1", text: "a = b / c", more: "written on Monday", ...fields };
}

export function board(fields = {}) {
  const marks = [{ sign: "✗", verdict: "wrong" }, { sign: "✓", verdict: "right" }];
  const score = { right: 1, of: 2, sessions: [{ name: "Monday", marks }] };
  return { ...judged(), ...learned("a = b / c"), rows: [row()], ...score, chart: null, fills: true, ...fields };
}

export function labLine(fields = {}) {
  const points = [[1, 10], [10, 90]];
  return { label: "right, one", score: "1 of 2", colour: "#6366f1", dashes: [1, 0], points, ...fields };
}

export function labChart(fields = {}) {
  const ticks = { below: [[0, "0"], [10, "10"]], beside: [[0, "0"], [100, "100"]] };
  return { title: "Tokens", lines: [labLine()], across: 10, up: 100, ...ticks, axis: "questions", marks: [], ...fields };
}

export function labPicture(fields = {}) {
  const cells = [
    { sign: "✓", verdict: "right", lit: false, apart: false, about: "question 1" },
    { sign: "✗", verdict: "wrong", lit: true, apart: true, about: "question 2" },
  ];
  return {
    say: "46 lines before, 7 after.",
    more: "All of it is kept.",
    charts: [labChart()],
    strips: [{ label: "one", colour: "#6366f1", dashes: [1, 0], score: "1 of 2", cells }],
    columns: [{ title: "After", short: false, rows: [{ kind: "kept", note: "✓", text: "a = b" }] }],
    note: "A closed world.",
    ...fields,
  };
}
