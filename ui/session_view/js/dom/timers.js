// @ts-check
/** When things are done: once a frame, or once in a while. */

/**
 * One repaint per frame, however often it is asked for.
 * @param {() => void} paint
 */
export function createPainter(paint) {
  let asked = 0;
  return {
    ask: () => (asked ||= requestAnimationFrame(() => ((asked = 0), paint()))),
    stop: () => cancelAnimationFrame(asked),
  };
}

/**
 * At most one call of `act` every so many milliseconds, the last one included.
 * @param {() => void} act
 * @param {number} every
 */
export function createThrottle(act, every) {
  /** @type {number | undefined} */
  let timer;
  return {
    ask: () => (timer ??= setTimeout(() => ((timer = undefined), act()), every)),
    stop: () => clearTimeout(timer),
  };
}
