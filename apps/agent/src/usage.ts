import { z } from 'zod';
import { counterOf } from './layout.ts';

type Bytes = { down: number; up: number };
/** Key → bytes. */
type Totals = Record<string, Bytes>;

/**
 * Usage by day and key of one count of this host (contract, `hostReport`). Kernel counters reset
 * with their device, table or host, so totals grow by the difference of two readings. Stores bytes
 * and days only: no sessions, no times (K11).
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

/** Bangkok has no daylight saving time: its days are UTC's, seven hours earlier. */
export const bangkokDay = (now: Date): string =>
  new Date(now.getTime() + 7 * 3_600_000).toISOString().slice(0, 10);

const sum = (weights: ReadonlyMap<string, number>): number =>
  [...weights.values()].reduce((all, weight) => all + weight, 0);

/** Splits bytes in proportion; the remainder goes to the last key, so that nothing is lost. */
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
 * Adds the bytes of the devices, which are exact, and splits them among keys by the firewall's
 * counters, which see reassembled packets and miss headers. A counter below its last reading was
 * recreated and counts from 0.
 * @param readings bytes by counter name; missing counters are forgotten, their totals stay
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
    // The firewall counts slightly before the device: these bytes belong to today's keys.
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
      // One counter is ahead of the other; both readings stay until they agree.
      for (const waits of [name, ...keys.map(key => key.name)])
        last[waits] = readings.get(waits)! - grown(waits);
    }
  }
  const days = Object.keys(totals).length > 0 ? { ...usage.days, [day]: totals } : usage.days;
  return { ...usage, last, days };
}

/**
 * Forgets readings of counters that are about to be removed: new ones of the same name start at 0.
 */
export function withoutReadings(usage: Usage, names: readonly string[]): Usage {
  const gone = new Set(names);
  return {
    ...usage,
    last: Object.fromEntries(Object.entries(usage.last).filter(([name]) => !gone.has(name))),
  };
}

/** Removes rows that the shop has stored. */
export function withoutRows(usage: Usage, rows: readonly { day: string; keyId: string }[]): Usage {
  const taken = new Set(rows.map(({ day, keyId }) => `${day} ${keyId}`));
  const days = Object.entries(usage.days).map(([day, keys]): [string, Totals] => [
    day,
    Object.fromEntries(Object.entries(keys).filter(([keyId]) => !taken.has(`${day} ${keyId}`))),
  ]);
  return { ...usage, days: Object.fromEntries(days.filter(([, keys]) => Object.keys(keys).length > 0)) };
}

/**
 * Rows of the report: past days, and today's removed keys. A running total would reveal minute by
 * minute who is connected, and backups would keep it. Newest first: a report ends the shop's record
 * of a subscription here, and later rows of it are ignored.
 */
export const usageRows = (usage: Usage, today: string, runs: (keyId: string) => boolean) =>
  Object.entries(usage.days)
    .toReversed()
    .flatMap(([day, keys]) =>
      Object.entries(keys)
        .filter(([keyId]) => day < today || !runs(keyId))
        .map(([keyId, { down, up }]) => ({ keyId, day, downBytes: down, upBytes: up })),
    );
