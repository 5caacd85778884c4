// @ts-check
/** What the user's system and page ask for: dark colours, little motion. */

/** @param {Element} element whose inherited theme counts */
export function isDark(element) {
  const probe = document.createElement("canvas").getContext("2d");
  if (!probe) return false;
  probe.fillStyle = getComputedStyle(element).getPropertyValue("--st-background-color").trim() || "#fff";
  const colour = probe.fillStyle; // as "#rrggbb", or "rgba(…)" where it can be seen through
  const [r, g, b] = colour.startsWith("#")
    ? [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16))
    : (colour.match(/\d+(\.\d+)?/g) ?? ["255", "255", "255"]).map(Number);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b < 110;
}

/** Whether the user wants little motion. */
export function wantsCalm() {
  return Boolean(globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches);
}
