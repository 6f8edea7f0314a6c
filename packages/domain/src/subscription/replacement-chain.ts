const DAY_MS = 24 * 60 * 60_000;
const WINDOW_MS = 7 * DAY_MS;
/** Replacements in one chain and week. Each leaves an address behind that rests before it is sold again. */
const MAX_REPLACEMENTS = 3;

/**
 * When a chain of replacements (this subscription, the one that it replaced, and so on) may grow by
 * another one; undefined: now.
 * @param replacedAt when the subscriptions of the chain were replaced
 */
export function replaceableAt(replacedAt: readonly Date[], now: Date): Date | undefined {
  const recent = replacedAt.map(at => at.getTime() + WINDOW_MS).filter(over => over > now.getTime());
  const over = recent.toSorted((a, b) => b - a)[MAX_REPLACEMENTS - 1];
  return over === undefined ? undefined : new Date(over);
}
