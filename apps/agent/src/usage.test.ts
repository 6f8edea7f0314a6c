import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deviceBytes } from './adapters/netdev/netdev.ts';
import type { StateFile } from './state-file.ts';
import { bangkokDay, count, newUsage, type Usage, usageRows, withoutReadings, withoutRows } from './usage.ts';
import { usageFiles } from './usage-files.ts';

const NOTHING = newUsage('e'.repeat(32));
const DAY = '2026-11-21';
const readings = (values: Record<string, number>) => new Map(Object.entries(values));
const counted = (values: Record<string, number>, before = NOTHING, day = DAY) =>
  count(before, readings(values), day);
const down = (usage: Usage, day = DAY) =>
  Object.values(usage.days[day] ?? {}).reduce((sum, bytes) => sum + bytes.down, 0);

describe('usage', () => {
  it('FV15 equals the device’s bytes exactly, however the firewall counts its keys and whenever a counter restarts', () => {
    const step = fc.record({
      phone: fc.nat(10_000),
      laptop: fc.nat(10_000),
      headers: fc.nat(300),
      restartsAfter: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), steps => {
        let usage = NOTHING;
        let [device, phone, laptop, sent] = [0, 0, 0, 0];
        for (const { headers, restartsAfter, ...by } of steps) {
          phone += by.phone;
          laptop += by.laptop;
          // No packets through the firewall means no headers either.
          const bytes = by.phone + by.laptop > 0 ? by.phone + by.laptop + headers : 0;
          device += bytes;
          sent += bytes;
          usage = counted({ d1: device, d1_phone: phone, d1_laptop: laptop }, usage);
          if (restartsAfter) {
            [device, phone, laptop] = [0, 0, 0];
            // The agent's reaction when everything is gone.
            usage = counted({}, usage);
          }
        }
        expect(down(usage)).toBe(sent);
      }),
    );
  });

  it("is split between keys in proportion to the firewall's counters", () => {
    const usage = counted({ u3: 1010, u3_phone: 250, u3_laptop: 750, u4: 50, u4_other: 50 });
    expect(usage.days[DAY]).toEqual({
      phone: { down: 0, up: 252 },
      laptop: { down: 0, up: 758 },
      other: { down: 0, up: 50 },
    });
  });

  it('loses nothing that one counter has seen before the other', () => {
    const waiting = counted({ d1: 0, d1_phone: 500 });
    expect(waiting.days).toEqual({});
    const first = counted({ d1: 300, d1_phone: 500 }, waiting);
    expect(down(first)).toBe(300);
    expect(down(counted({ d1: 510, d1_phone: 500 }, first))).toBe(510);
  });

  it('never decreases, whatever the counters show', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { maxLength: 30 }), values => {
        let usage = NOTHING;
        for (const value of values) {
          const before = down(usage);
          usage = counted({ d1: value, d1_phone: value }, usage);
          expect(down(usage)).toBeGreaterThanOrEqual(before);
        }
      }),
    );
  });

  it('belongs to the Bangkok day on which it was read', () => {
    expect(bangkokDay(new Date('2026-11-30T16:59:59Z'))).toBe('2026-11-30');
    expect(bangkokDay(new Date('2026-11-30T17:00:00Z'))).toBe('2026-12-01');
    const november = counted({ d1: 100, d1_phone: 100 }, NOTHING, '2026-11-30');
    const december = counted({ d1: 130, d1_phone: 130 }, november, '2026-12-01');
    expect([down(december, '2026-11-30'), down(december, '2026-12-01')]).toEqual([100, 30]);
  });

  it('of a key with removed counters is kept, and its next counters start at zero', () => {
    const first = counted({ d1: 100, d1_phone: 100 });
    const usage = withoutReadings(first, ['d1', 'd1_phone']);
    expect(down(counted({ d1: 150, d1_phone: 150 }, usage))).toBe(250);
  });

  it('K11 is reported when the day is over, and at once for a removed key; stored rows are dropped', () => {
    const yesterday = counted({ d1: 30, d1_here: 10, d1_left: 20 }, NOTHING, '2026-11-20');
    const usage = counted({ d1: 36, d1_here: 12, d1_left: 24 }, yesterday);
    const rows = usageRows(usage, DAY, keyId => keyId === 'here');
    expect(rows).toEqual([
      { keyId: 'left', day: DAY, downBytes: 4, upBytes: 0 },
      { keyId: 'here', day: '2026-11-20', downBytes: 10, upBytes: 0 },
      { keyId: 'left', day: '2026-11-20', downBytes: 20, upBytes: 0 },
    ]);
    expect(usageRows(usage, DAY, () => true).map(({ day }) => day)).toEqual(['2026-11-20', '2026-11-20']);
    expect(withoutRows(usage, rows.slice(1)).days).toEqual({ [DAY]: usage.days[DAY] });
  });
});

describe('the usage count is stored', () => {
  const begun = new Date('2026-11-21T08:00:00Z').getTime();
  /** Files that a reboot empties, a disk that may be full, and the agent's time in seconds. */
  function kept(full = false) {
    let [inMemory, onDisk, seconds]: [Usage | undefined, Usage | undefined, number] = [
      undefined,
      undefined,
      0,
    ];
    const writes: number[] = [];
    const running: Pick<StateFile<Usage>, 'load' | 'save'> = {
      load: () => inMemory,
      save: usage => {
        inMemory = usage;
      },
    };
    const disk: typeof running = {
      load: () => onDisk,
      save: usage => {
        if (full) throw new Error('no space left on device');
        writes.push(seconds);
        onDisk = usage;
      },
    };
    return {
      start: () =>
        usageFiles(
          { running, disk },
          () => new Date(begun + seconds * 1000),
          () => undefined,
        ),
      at: (second: number) => {
        seconds = second;
      },
      reboot: () => {
        inMemory = undefined;
      },
      writes,
    };
  }

  it('K10 on the disk each minute, whether anybody was connected or not, and when the agent exits', () => {
    const { start, at, writes } = kept();
    const files = start();
    for (let second = 0; second < 180; second += 10) {
      at(second);
      files.save(counted({ d1: second < 60 ? second : 50, d1_phone: second < 60 ? second : 50 }));
    }
    at(175);
    files.save(NOTHING, true);
    expect(writes).toEqual([0, 60, 120, 175]);
  });

  it('FV15 for as long as the kernel’s counters exist, whatever the disk has stored', () => {
    const { start, reboot } = kept(true);
    const usage = counted({ d1: 100, d1_phone: 100 });
    start().save(usage);
    expect(start().load()).toEqual(usage);
    reboot();
    expect(start().load()).toBeUndefined();
  });

  it('FV15 across a reboot by the disk', () => {
    const { start, reboot } = kept();
    const usage = counted({ d1: 100, d1_phone: 100 });
    start().save(usage);
    reboot();
    expect(start().load()).toEqual(usage);
  });
});

it('bytes of the devices are read from the kernel’s table, where received means sent by the customer', () => {
  const table = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 9 1 0 0 0 0 0 0 9 1 0 0 0 0 0 0
fpt2039: 700 7 0 0 0 0 0 0 100 1 0 0 0 0 0 0
  fpt1:5 1 0 0 0 0 0 0 6 1 0 0 0 0 0 0
`;
  expect(Object.fromEntries(deviceBytes(table))).toEqual({ u2039: 700, d2039: 100, u1: 5, d1: 6 });
});
