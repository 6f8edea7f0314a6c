import { z } from 'zod';
import { counterOf } from './layout.ts';

type Bytes = { down: number; up: number };
/** Key → bytes. */
type Totals = Record<string, Bytes>;

/**
 * Bytes by day and key in one count of this host (contract, `hostReport`). The kernel's counters only grow until a device,
 * a table or the host is made again, so totals grow by the difference of two readings. Bytes and days are all that is kept,
 * until the shop has taken them: no session, no time (K11).
 */
export const usageFile = z.object({
  epoch: z.string(),
  /** Last reading of each counter. */
  last: z.record(z.string(), z.number()),
  /** Day (Asia/Bangkok, `2026-11-21`) → key → bytes. */
  days: z.record(z.string(), z.record(z.string(), z.object({ down: z.number(), up: z.number() }))),
});
export type Usage = z.infer<typeof usageFile>;

export const newUsage = (epoch: string): Usage => ({ epoch, last: {}, days: {} });

/** Bangkok has no summer time, so its days are UTC's seven hours earlier. */
export const bangkokDay = (now: Date): string =>
  new Date(now.getTime() + 7 * 3_600_000).toISOString().slice(0, 10);

const sum = (weights: ReadonlyMap<string, number>): number =>
  [...weights.values()].reduce((all, weight) => all + weight, 0);

/** Splits whole bytes in proportion; what does not divide goes to the last, so that nothing is lost. */
function split(bytes: number, weights: ReadonlyMap<string, number>): [keyId: string, bytes: number][] {
  const all = sum(weights);
  let left = bytes;
  return [...weights].map(([keyId, weight], n) => {
    const part = n === weights.size - 1 ? left : Math.floor(bytes * (weight / all));
    left -= part;
    return [keyId, part];
  });
}

/**
 * Adds what the devices have counted, which is exact to the byte. Whose it was says the firewall, which sees large
 * packets that were put together on their way, and counts too few headers: so it tells the proportion. A counter that
 * shows less than before was made again and counts from 0.
 * @param readings bytes by counter name; counters that are not in it are forgotten, their totals stay
 */
export function count(usage: Usage, readings: ReadonlyMap<string, number>, day: string): Usage {
  const grown = (name: string): number => {
    const [now, last] = [readings.get(name)!, usage.last[name] ?? 0];
    return now >= last ? now - last : now;
  };
  const totals: Totals = { ...usage.days[day] };
  const last = Object.fromEntries(readings);
  const counters = [...readings.keys()].flatMap(name => ({ name, ...counterOf(name)! }));
  const keysOf = Map.groupBy(
    counters.filter(({ keyId }) => keyId !== undefined),
    ({ device }) => device,
  );
  for (const { name, direction } of counters.filter(({ keyId }) => keyId === undefined)) {
    const keys = keysOf.get(name) ?? [];
    const seen = new Map(keys.flatMap(key => (grown(key.name) > 0 ? [[key.keyId!, grown(key.name)]] : [])));
    // What the firewall saw a moment before the device: it belongs to those who were there today.
    const today = new Map(
      keys.flatMap(({ keyId }) => (totals[keyId!] ? [[keyId!, totals[keyId!]![direction]]] : [])),
    );
    const weights = [seen, today].find(some => sum(some) > 0);
    if (weights && grown(name) > 0) {
      for (const [keyId, bytes] of split(grown(name), weights)) {
        const total = totals[keyId] ?? { down: 0, up: 0 };
        totals[keyId] = { ...total, [direction]: total[direction] + bytes };
      }
    } else {
      // One has seen what the other will: both stay where they were until then.
      for (const waits of [name, ...keys.map(key => key.name)])
        last[waits] = readings.get(waits)! - grown(waits);
    }
  }
  const days = Object.keys(totals).length > 0 ? { ...usage.days, [day]: totals } : usage.days;
  return { ...usage, last, days };
}

/** Forgets the readings of counters that are about to go: new ones of the same name begin at 0. */
export function withoutReadings(usage: Usage, names: readonly string[]): Usage {
  const gone = new Set(names);
  return {
    ...usage,
    last: Object.fromEntries(Object.entries(usage.last).filter(([name]) => !gone.has(name))),
  };
}

/** Forgets what the shop has taken. */
export function withoutRows(usage: Usage, rows: readonly { day: string; keyId: string }[]): Usage {
  const taken = new Set(rows.map(({ day, keyId }) => `${day} ${keyId}`));
  const days = Object.entries(usage.days).map(([day, keys]): [string, Totals] => [
    day,
    Object.fromEntries(Object.entries(keys).filter(([keyId]) => !taken.has(`${day} ${keyId}`))),
  ]);
  return { ...usage, days: Object.fromEntries(days.filter(([, keys]) => Object.keys(keys).length > 0)) };
}

/**
 * Rows of the report to the shop: days that are over, and of today the keys that the host runs no more. A running total
 * would tell from minute to minute who is there, and backups would keep it. The newest first: with a report the shop forgets
 * that a subscription was here, and takes nothing more of it.
 */
export const usageRows = (usage: Usage, today: string, runs: (keyId: string) => boolean) =>
  Object.entries(usage.days)
    .toReversed()
    .flatMap(([day, keys]) =>
      Object.entries(keys)
        .filter(([keyId]) => day < today || !runs(keyId))
        .map(([keyId, { down, up }]) => ({ keyId, day, downBytes: down, upBytes: up })),
    );
