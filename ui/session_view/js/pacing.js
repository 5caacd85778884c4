/** When things are done: once a frame, or once in a while. */

/** One repaint per frame, however much comes in. */
export function painter(paint) {
  let asked = 0;
  return {
    ask: () => (asked ||= requestAnimationFrame(() => ((asked = 0), paint()))),
    stop: () => cancelAnimationFrame(asked),
  };
}

/** At most one call of `act` every so many milliseconds, the last one included. */
export function throttle(act, every) {
  let timer = null;
  const later = () => (timer ??= setTimeout(() => ((timer = null), act()), every));
  later.stop = () => clearTimeout(timer);
  return later;
}
