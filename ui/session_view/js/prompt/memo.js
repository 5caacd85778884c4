// @ts-check
/** Values that are worked out once for each object they are made from: what a log holds never changes. */

/**
 * @template {object} From
 * @template Value
 * @param {(from: From) => Value} make
 * @returns {(from: From) => Value}
 */
export function memo(make) {
  /** @type {WeakMap<From, Value>} */
  const known = new WeakMap();
  return (from) => {
    const held = known.get(from) ?? make(from);
    known.set(from, held);
    return held;
  };
}
