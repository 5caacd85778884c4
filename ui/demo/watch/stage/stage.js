// @ts-check
/**
 * Draws *Watch it learn*: the question with its verdict, the score, the curves and the bullets. Values come as one JSON text;
 * all text from users and models goes in as text nodes.
 */

/** @typedef {{ arm: string; label: string; right: number; of: number; points: [number, number][] }} Curve */
/** @typedef {{ id: string; text: string; taken: boolean }} Bullet */
/**
 * @typedef {{
 *   place: string; question: string; head: string; verdict: string; sign: string; word: string; beside: string;
 *   curves: Curve[]; questions: number; cut: number; bullets: Bullet[]; more: string; kept: string;
 * }} Picture
 */

const SVG = "http://www.w3.org/2000/svg";
const LEFT = 62, RIGHT = 16, TOP = 16, BOTTOM = 44;
/** Heights in pixels: at least, at most, and what the rest of the page needs of the window. */
const LEAST = 260, MOST = 600, REST = 420;
const NEW = 900; // milliseconds for which a bullet is marked as new
/** @type {WeakMap<ParentNode, Stage>} */
const stages = new WeakMap();

/** @param {{ parentElement: ParentNode; data: { shown: string } }} component */
export default function watch({ parentElement, data }) {
  const stage = stages.get(parentElement) ?? new Stage(parentElement);
  stages.set(parentElement, stage);
  stage.update(data.shown);
}

class Stage {
  /** @param {ParentNode} parent */
  constructor(parent) {
    this.shown = "";
    this.place = "";
    /** @type {Set<string>} */
    this.known = new Set();
    this.root = made("div", "stage");
    this.head = made("div", "head");
    this.question = made("p", "question");
    this.verdict = made("p", "verdict");
    this.beside = made("p", "beside");
    this.scores = made("ul", "scores");
    this.curves = made("div", "curves");
    this.bullets = made("ul", "bullets");
    this.kept = made("p", "kept");
    this.more = made("p", "more");
    const now = made("section", "now", this.head, this.question, this.verdict, this.beside);
    const chart = made("section", "chart", this.scores, this.curves);
    this.root.append(now, chart, made("section", "learned", this.kept, this.bullets, this.more));
    parent.append(this.root);
    new ResizeObserver(() => this.drawCurves()).observe(this.curves);
  }

  /** @param {string} shown */
  update(shown) {
    if (shown === this.shown) return;
    this.shown = shown;
    /** @type {Picture} */
    const picture = JSON.parse(shown);
    this.picture = picture;
    this.head.textContent = picture.head;
    this.question.textContent = picture.question;
    this.verdict.replaceChildren(made("span", "sign", picture.sign), ` ${picture.word}`);
    this.verdict.dataset.verdict = picture.verdict;
    this.beside.textContent = picture.beside;
    this.scores.replaceChildren(...picture.curves.map(score));
    this.drawCurves();
    this.drawBullets(picture);
  }

  drawCurves() {
    if (this.picture) this.curves.replaceChildren(drawn(this.picture, Math.max(320, this.curves.clientWidth)));
  }

  /** @param {Picture} picture */
  drawBullets({ place, bullets, kept, more }) {
    const first = place !== this.place;
    this.place = place;
    const rows = bullets.map((bullet) => {
      const row = made("li", bullet.taken ? "bullet taken" : "bullet", made("code", "", bullet.id), ` ${bullet.text}`);
      if (!first && !this.known.has(bullet.id)) {
        row.classList.add("new");
        setTimeout(() => row.classList.remove("new"), NEW);
      }
      return row;
    });
    this.known = new Set(bullets.map(({ id }) => id));
    this.bullets.replaceChildren(...rows);
    this.kept.textContent = kept;
    this.more.textContent = more;
  }
}

/** @param {Curve} curve */
function score({ arm, label, right, of }) {
  const swatch = drawing("svg", { class: "swatch", viewBox: "0 0 34 10", "aria-hidden": "true" });
  swatch.append(drawing("path", { class: `line ${arm}`, d: "M0,5H34" }));
  return made("li", `score ${arm}`, swatch, made("b", "", `${right} of ${of}`), ` ${label}`);
}

/**
 * The chart in pixels of the screen, so that its text keeps its size.
 * @param {Picture} picture
 * @param {number} width
 */
function drawn({ curves, questions, cut }, width) {
  const height = Math.max(LEAST, Math.min(MOST, innerHeight - REST, width * 0.7));
  /** @param {number} question */
  const x = (question) => LEFT + (question / questions) * (width - LEFT - RIGHT);
  /** @param {number} share */
  const y = (share) => TOP + (1 - share) * (height - TOP - BOTTOM);
  const said = curves.map(({ label, right, of }) => `${right} of ${of} ${label}`).join("; ");
  const svg = drawing("svg", { width, height, role: "img", "aria-label": said });
  for (const share of [0, 0.5, 1]) {
    svg.append(drawing("path", { class: "grid", d: `M${LEFT},${y(share)}H${width - RIGHT}` }));
    svg.append(written(`${share * 100} %`, { x: LEFT - 10, y: y(share) + 6, "text-anchor": "end" }));
  }
  const ticks = questions > 60 ? [20, 40, 60, 80, 100] : [10, 20, 30, 40, 50];
  for (const tick of ticks) svg.append(written(`${tick}`, { x: x(tick), y: height - 22, "text-anchor": "middle" }));
  const axis = "questions → share right of the last ten";
  svg.append(written(axis, { x: (LEFT + width - RIGHT) / 2, y: height - 3, "text-anchor": "middle" }));
  if (cut) svg.append(drawing("path", { class: "cut", d: `M${x(cut)},${TOP}V${height - BOTTOM}` }));
  for (const { arm, points } of [...curves].reverse()) {
    const path = points.map(([question, share]) => `${x(question)},${y(share)}`).join("L");
    const [question, share] = points.at(-1) ?? [0, -1];
    if (!path) continue;
    svg.append(drawing("path", { class: `line ${arm}`, d: `M${path}` }));
    svg.append(drawing("circle", { class: `end ${arm}`, cx: x(question), cy: y(share), r: 6 }));
  }
  return svg;
}

/**
 * @param {string} tag
 * @param {string} name
 * @param {(Node | string)[]} content
 */
function made(tag, name, ...content) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.append(...content);
  return element;
}

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 */
function drawing(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, `${value}`);
  return element;
}

/**
 * @param {string} text
 * @param {Record<string, string | number>} attributes
 */
function written(text, attributes) {
  const element = drawing("text", attributes);
  element.textContent = text;
  return element;
}
