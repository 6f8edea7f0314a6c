/** A limit that a customer asks for one key; null takes it away. In Mbit/s, each way. */
export type WantedLimit = { id: string; rateMbit: number | null };

export type LimitDecision =
  | { ok: true; changed: WantedLimit[] }
  | { ok: false; refusal: 'keyNotFound' }
  | { ok: false; refusal: 'aboveLine'; at: number };

/**
 * Which limits change. Each key may have up to the whole line, since keys share what is there; a limit above it would
 * promise what nobody gets.
 * @param keys the subscription's keys with the limits that they have
 * @param lineMbit of the plan
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
