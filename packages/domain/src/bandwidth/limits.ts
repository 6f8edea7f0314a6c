/** A limit that a customer requests for a key, in Mbit/s each way; null removes it. */
export type WantedLimit = { id: string; rateMbit: number | null };

export type LimitDecision =
  | { ok: true; changed: WantedLimit[] }
  | { ok: false; refusal: 'keyNotFound' }
  | { ok: false; refusal: 'aboveLine'; at: number };

/**
 * Decides which limits change. Keys share the line, so each may have up to the full line rate; a
 * higher limit would promise a speed that no device gets.
 * @param keys the subscription's keys with their current limits
 * @param lineMbit line rate of the plan
 */
export function decideLimits(
  lineMbit: number,
  keys: readonly WantedLimit[],
  wanted: readonly WantedLimit[],
): LimitDecision {
  const now = new Map(keys.map(({ id, rateMbit }) => [id, rateMbit]));
  const asked = new Map(wanted.map(({ id, rateMbit }) => [id, rateMbit]));
  if ([...asked.keys()].some(id => !now.has(id))) return { ok: false, refusal: 'keyNotFound' };
  const at = wanted.findIndex(({ rateMbit }) => rateMbit !== null && rateMbit > lineMbit);
  if (at >= 0) return { ok: false, refusal: 'aboveLine', at };
  const changed = [...asked].flatMap(([id, rateMbit]) =>
    now.get(id) === rateMbit ? [] : [{ id, rateMbit }],
  );
  return { ok: true, changed };
}
