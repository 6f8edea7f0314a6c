import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bangkokMonth, count, noUsage, usageRows, withoutOldMonths, withoutReadings } from './usage.ts';

const readings = (values: Record<string, number>) => new Map(Object.entries(values));

describe('usage', () => {
  it('is the sum of all bytes, however often it is read and whenever the kernel begins again', () => {
    const step = fc.record({ grows: fc.nat(10_000), restartsAfter: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), steps => {
        let usage = noUsage('test');
        let counter = 0;
        let sent = 0;
        for (const { grows, restartsAfter } of steps) {
          counter += grows;
          sent += grows;
          usage = count(usage, readings({ d_k_phone1: counter }), '2026-11');
          if (restartsAfter) {
            counter = 0;
            // What the agent does when it finds that its table is gone.
            usage = count(usage, readings({}), '2026-11');
          }
        }
        expect(usage.months['2026-11']?.k_phone1?.down ?? 0).toBe(sent);
      }),
    );
  });

  it('never goes down, whatever the counters show', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { maxLength: 30 }), values => {
        let usage = noUsage('test');
        let before = 0;
        for (const value of values) {
          usage = count(usage, readings({ u_k_phone1: value }), '2026-11');
          const total = usage.months['2026-11']?.k_phone1?.up ?? 0;
          expect(total).toBeGreaterThanOrEqual(before);
          before = total;
        }
      }),
    );
  });

  it('belongs to the month in which it was read, of Bangkok', () => {
    expect(bangkokMonth(new Date('2026-11-30T16:59:59Z'))).toBe('2026-11');
    expect(bangkokMonth(new Date('2026-11-30T17:00:00Z'))).toBe('2026-12');
    const november = count(noUsage('test'), readings({ d_k_phone1: 100 }), '2026-11');
    const december = count(november, readings({ d_k_phone1: 130, u_k_phone1: 7 }), '2026-12');
    expect(usageRows(december)).toEqual([
      { keyId: 'k_phone1', month: '2026-11', downBytes: 100, upBytes: 0 },
      { keyId: 'k_phone1', month: '2026-12', downBytes: 30, upBytes: 7 },
    ]);
  });

  it('of a deleted key is still reported, and its next counter begins at nothing', () => {
    const usage = withoutReadings(count(noUsage('test'), readings({ d_k_phone1: 100 }), '2026-11'), [
      'k_phone1',
    ]);
    const again = count(usage, readings({ d_k_phone1: 150 }), '2026-11');
    expect(again.months['2026-11']).toEqual({ k_phone1: { down: 250, up: 0 } });
  });

  it('is kept for this month and the last', () => {
    let usage = noUsage('test');
    for (const month of ['2026-11', '2026-12', '2027-01']) {
      usage = withoutOldMonths(count(usage, readings({ d_k_phone1: Number(month.slice(5)) }), month));
    }
    expect(Object.keys(usage.months).sort()).toEqual(['2026-12', '2027-01']);
  });
});
