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
