// @ts-check
/**
 * Elements. Text only ever goes in as text nodes; no markup is parsed from data. An element that holds text takes its
 * direction from it, so that Arabic and Hebrew read from the right wherever they stand.
 */

/** @import { Child, ElementOf, Props } from "./types.d.ts" */

/**
 * An element: `h("button.chip.on", {title: "…", onclick: f}, "text", child, null)`.
 * @template {string} Spec
 * @param {Spec} spec a tag and classes
 * @param {Props<ElementOf<Spec>>} [props] those that begin with "on" are handlers, the rest are attributes
 * @param {...Child} children
 * @returns {ElementOf<Spec>}
 */
export function h(spec, props, ...children) {
  const [tag, ...classes] = spec.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  for (const [name, value] of Object.entries(props ?? {})) {
    if (name.startsWith("on")) Object.assign(element, { [name]: value });
    else setAttribute(element, name, value);
  }
  append(element, children);
  if (!(props && "dir" in props) && takesText(element, children)) element.dir = "auto";
  return /** @type {ElementOf<Spec>} */ (element);
}

/**
 * Whether an element holds text of its own, which may be of any language. Code reads from the left.
 * @param {HTMLElement} element
 * @param {Child[]} children
 */
function takesText(element, children) {
  return element.tagName === "INPUT" || element.tagName === "TEXTAREA" ||
    (element.tagName !== "PRE" && holdsText(children));
}

/**
 * @param {Child[]} children
 * @returns {boolean}
 */
function holdsText(children) {
  return children.some((child) => Array.isArray(child) ? holdsText(child) : typeof child === "string" && child !== "");
}

/**
 * Sets an attribute, or removes it where the value is null, undefined or false.
 * @param {Element} element
 * @param {string} name
 * @param {unknown} value
 */
export function setAttribute(element, name, value) {
  if (value == null || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : String(value));
}

/**
 * @param {Element} element
 * @param {Child[]} children
 */
function append(element, children) {
  for (const child of children) {
    if (child == null || child === false) continue;
    if (Array.isArray(child)) append(element, child);
    else element.append(child instanceof Node ? child : String(child)); // strings become text nodes
  }
}

/**
 * Puts children in the place of what an element holds.
 * @param {Element} element
 * @param {...Child} children
 */
export function replace(element, ...children) {
  element.textContent = "";
  append(element, children);
}

/**
 * Sets text only when it differs: an untouched node costs no layout.
 * @param {Node} node
 * @param {string} text
 */
export function setText(node, text) {
  if (node.textContent === text) return;
  node.textContent = text;
  if (node instanceof HTMLElement && !node.dir) node.dir = "auto";
}

/**
 * The element with the focus, if it is `element` or in it; null otherwise.
 * @param {Element} element
 */
export function focusedIn(element) {
  const root = element.getRootNode();
  const focused = root instanceof Document || root instanceof ShadowRoot ? root.activeElement : null;
  return element.contains(focused) ? focused : null;
}
