/** Whether what is drawn looks the same when the style sheets come in the reverse order. */

const PARTS = [null, "::before", "::after"];
/** Follow from the size of other elements, and move while an animation runs. */
const GEOMETRY = /animation|height|width|size|origin|transform|top|bottom|left|right|inset/;
const KEPT = /^(margin|padding|border)/;
const seen = new Set();

/** What sheets set. */
const properties = names(globalThis.viewStyles.cssRules);

function names(rules) {
  const found = new Set();
  for (const rule of rules) {
    for (const name of rule.style ?? []) {
      if (!name.startsWith("--") && (KEPT.test(name) || !GEOMETRY.test(name))) found.add(name);
    }
    for (const name of rule.cssRules ? names(rule.cssRules) : []) found.add(name);
  }
  return found;
}

/** What depends on the order, of elements unlike those that were looked at before. */
export function orderMatters(root) {
  const fresh = [...root.querySelectorAll("*")].filter(isUnseen);
  const before = fresh.map(look);
  root.adoptedStyleSheets = [globalThis.viewStylesReversed];
  const after = fresh.map(look);
  root.adoptedStyleSheets = [globalThis.viewStyles];
  return fresh.flatMap((element, i) =>
    before[i].filter((value, k) => value !== after[i][k]).map((value) => `${pathOf(element)} ${value}`)
  );
}

function isUnseen(element) {
  const path = pathOf(element);
  if (seen.has(path)) return false;
  seen.add(path);
  return true;
}

function pathOf(element) {
  const names = [];
  for (let at = element; at && names.length < 4; at = at.parentElement) {
    names.unshift([at.localName, ...at.classList, at.ariaSelected, at.ariaPressed, at.dataset?.size].join("."));
  }
  return names.join(" > ");
}

function look(element) {
  return PARTS.flatMap((part) => {
    const style = getComputedStyle(element, part);
    return part && style.content === "none" ? [] : [...properties].map((name) => `${part ?? ""} ${name}: ${style[name]}`);
  });
}
