/**
 * How much work a call does: how often the blocks of the scripts in a folder run, as V8 counts it. What a method of a string
 * does inside, such as `indexOf`, is not seen. V8 now and then loses counts, when it compiles anew, and never counts too much:
 * the highest count of some is taken.
 */

import { Session } from "node:inspector/promises";

const TIMES = 3;

/** Gives a function that counts: `await count(() => …)`. The call is made several times. */
export async function counterOf(folder) {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  const counted = async (act) => {
    await session.post("Profiler.takePreciseCoverage");
    act();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const scripts = result.filter(({ url }) => url.includes(folder));
    return scripts.flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges)).reduce(
      (sum, { count }) => sum + count,
      0,
    );
  };
  return async (act) => {
    let most = 0;
    for (let time = 0; time < TIMES; time++) most = Math.max(most, await counted(act));
    return most;
  };
}
