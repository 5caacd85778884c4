/**
 * How much work a call does: how often the blocks of the scripts in a folder run, as V8 counts it. What a method of a string
 * does inside, such as `indexOf`, is not seen.
 */

import { Session } from "node:inspector/promises";

/**
 * Gives a function that counts: `await count(() => …)`. To be called before the scripts run for the first time: V8 does not
 * count in functions that it is compiling by then.
 */
export async function counterOf(folder) {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  return async (act) => {
    await session.post("Profiler.takePreciseCoverage");
    act();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const scripts = result.filter(({ url }) => url.includes(folder));
    return scripts.flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges)).reduce(
      (sum, { count }) => sum + count,
      0,
    );
  };
}
