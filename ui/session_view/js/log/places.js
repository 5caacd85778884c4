// @ts-check
/** Where something is in a log: found in few steps, however long it is. */

/**
 * Index of the last item up to a number; -1 where all come after it.
 * @template Item
 * @param {Item[]} items in order
 * @param {number} most
 * @param {(item: Item) => number} numberOf
 */
export function placeUpTo(items, most, numberOf) {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numberOf(items[middle]) <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
