// @ts-check
/** When the page is printed: some browsers tell it by an event, some by the medium, and most by both. */

/**
 * Calls `tell` when printing begins and when it ends; what it draws meanwhile is on paper.
 * @param {(printing: boolean) => void} tell
 * @returns {() => void} ends it
 */
export function listenToPrinting(tell) {
  const medium = matchMedia("print");
  const began = () => tell(true);
  const ended = () => tell(false);
  const changed = () => tell(medium.matches);
  addEventListener("beforeprint", began);
  addEventListener("afterprint", ended);
  medium.addEventListener("change", changed);
  return () => {
    removeEventListener("beforeprint", began);
    removeEventListener("afterprint", ended);
    medium.removeEventListener("change", changed);
  };
}
