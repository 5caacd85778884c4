// @ts-check
/** Brings nodes up to date with freshly drawn ones; what is the same stays in the page, with a selection in it. */

/**
 * Gives the node that is in the place of `old` afterwards.
 * @template {ChildNode} Kept
 * @param {Kept} old
 * @param {Kept} fresh
 * @returns {Kept}
 */
export function patch(old, fresh) {
  if (old instanceof Text && fresh instanceof Text) writeOn(old, fresh.data);
  else if (old instanceof Element && fresh instanceof Element && isAlike(old, fresh)) patchChildren(old, fresh);
  else {
    old.replaceWith(fresh);
    return fresh;
  }
  return old;
}

/**
 * Brings a text node up to date; what is only longer is added to.
 * @param {Text} node
 * @param {string} text
 */
export function writeOn(node, text) {
  if (node.data === text) return;
  if (text.startsWith(node.data)) node.appendData(text.slice(node.data.length));
  else node.data = text;
}

/**
 * @param {Element} old
 * @param {Element} fresh
 */
function patchChildren(old, fresh) {
  const before = [...old.childNodes];
  const after = [...fresh.childNodes];
  after.forEach((node, i) => {
    if (i < before.length) patch(before[i], node);
    else old.append(node);
  });
  for (const node of before.slice(after.length)) node.remove();
}

/**
 * @param {Element} a
 * @param {Element} b
 */
function isAlike(a, b) {
  const names = a.getAttributeNames();
  return a.tagName === b.tagName && names.length === b.getAttributeNames().length &&
    names.every((name) => a.getAttribute(name) === b.getAttribute(name));
}
