import { z } from 'zod';
import { downCounter, keyOfCounter, upCounter } from './layout.ts';

/**
 * Bytes by month and key, absolute since this host began to count (contract, `hostReport.usage`). The kernel's
 * counters only grow until a table or the host is made anew, so totals grow by the difference of two readings.
 * Bytes and months are all that is kept: no session, no time (spec "no logs").
 */
export const usageFile = z.object({
  /** Which count this is: totals of another machine, or of a lost file, are added to it and not compared. */
  epoch: z.string(),
  /** Last reading of each kernel counter. */
  last: z.record(z.string(), z.number()),
  /** Month (Asia/Bangkok, `2026-11`) → key → bytes. */
  months: z.record(z.string(), z.record(z.string(), z.object({ down: z.number(), up: z.number() }))),
});
export type Usage = z.infer<typeof usageFile>;

export const noUsage = (epoch: string): Usage => ({ epoch, last: {}, months: {} });

/** Bangkok has no summer time, so its months are UTC's seven hours earlier. */
export const bangkokMonth = (now: Date): string =>
  new Date(now.getTime() + 7 * 3_600_000).toISOString().slice(0, 7);

/**
 * Adds what the counters have grown by. A counter that shows less than before was made anew and counts from 0.
 * @param readings bytes by counter name; counters that are not in it are forgotten, their totals stay
 */
export function count(usage: Usage, readings: ReadonlyMap<string, number>, month: string): Usage {
  const totals = { ...usage.months[month] };
  for (const [name, bytes] of readings) {
    const counter = keyOfCounter(name);
    const last = usage.last[name] ?? 0;
    const grown = bytes >= last ? bytes - last : bytes;
    if (!counter || grown === 0) continue;
    const total = totals[counter.keyId] ?? { down: 0, up: 0 };
    totals[counter.keyId] = { ...total, [counter.direction]: total[counter.direction] + grown };
  }
  const months = Object.keys(totals).length > 0 ? { ...usage.months, [month]: totals } : usage.months;
  return { ...usage, last: Object.fromEntries(readings), months };
}

/** Forgets the readings of keys whose counters are about to go: new ones of the same name begin at 0. */
export function withoutReadings(usage: Usage, keyIds: readonly string[]): Usage {
  const gone = new Set(keyIds.flatMap(id => [downCounter(id), upCounter(id)]));
  const last = Object.entries(usage.last).filter(([name]) => !gone.has(name));
  return { ...usage, last: Object.fromEntries(last) };
}

/** Forgets all but the newest two months: the last one may still be on its way to the shop. */
export function withoutOldMonths(usage: Usage): Usage {
  const kept = Object.entries(usage.months)
    .sort(([a], [b]) => b.localeCompare(a))
    .slice(0, 2);
  return { ...usage, months: Object.fromEntries(kept) };
}

/** Rows of the report to the shop. */
export const usageRows = (usage: Usage) =>
  Object.entries(usage.months).flatMap(([month, keys]) =>
    Object.entries(keys).map(([keyId, { down, up }]) => ({ keyId, month, downBytes: down, upBytes: up })),
  );
