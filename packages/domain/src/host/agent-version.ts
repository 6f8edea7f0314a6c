/** Release and build, as `0.2.0+20261129055504`; the build is a time, so that it grows. */
const VERSION = /^(\d+)\.(\d+)\.(\d+)(?:\+(\d+))?$/;

/** Versions that say no build, such as those until 0.2.0, are older than any build of the same release. */
function numbersOf(version: string): number[] | undefined {
  return VERSION.exec(version)
    ?.slice(1)
    .map(part => Number(part ?? 0));
}

/** Orders two versions of the agent, the older one first. Undefined: one of them is none, such as that of a checkout. */
export function compareAgents(a: string, b: string): number | undefined {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  if (!left || !right) return undefined;
  const at = left.findIndex((part, index) => part !== right[index]);
  return at < 0 ? 0 : left[at]! - right[at]!;
}
