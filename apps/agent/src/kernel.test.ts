import type { DesiredKey, DesiredSubscription } from '@fixpoint/contract/agent.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedRuleset, removedMarks, resetRuleset, wantedElements } from './adapters/nat/ruleset.ts';
import { addLines, removeLines } from './adapters/netdev/lines.ts';
import {
  actualClasses,
  removeClasses,
  shaperLines,
  strayClasses,
  wantedClasses,
} from './adapters/shaper/classes.ts';
import { driftOf } from './drift.ts';
import { flowMark, tunnelDevice } from './layout.ts';
import { EMPTY, plan } from './plan.ts';
import { hostSet } from './testing/arbitrary.ts';
import { change, options, start, state } from './testing/kernel.ts';

describe('the kernel of a host', () => {
  it('is the same after a change as after a start with the new set', () => {
    fc.assert(
      fc.property(hostSet, hostSet, (was, is) => {
        const kernel = start(was);
        change(kernel, was, is);
        expect(state(kernel)).toEqual(state(start(is)));
      }),
      { numRuns: 500 },
    );
  });

  it('shows no drift from its set', () => {
    fc.assert(
      fc.property(hostSet, set => {
        const kernel = start(set);
        const actual = kernel.firewall.state().elements.map(([key, value]) => {
          const text = value.replaceAll('"', '');
          return text === '' ? key : `${key} : ${text}`;
        });
        expect(driftOf('firewall', actual, wantedElements(set))).toEqual([]);
        const devices = ['eth0', ...set.subscriptions.map(tunnelDevice)];
        const listing = devices.flatMap(device => [
          `qdisc htb 1: root refcnt 2`,
          ...kernel.traffic.listing(device),
        ]);
        const rates = actualClasses(listing.join('\n'), devices);
        expect(driftOf('rate', rates, wantedClasses(set, options))).toEqual([]);
        const stray = [...actual, 'upprio 10.64.9.9 : 1:9'];
        expect(driftOf('firewall', stray, wantedElements(set))).toEqual([
          { what: 'firewall', more: 1, missing: 0 },
        ]);
      }),
    );
  });

  it('removes a stray class after the classes below it', () => {
    const listing = [
      'qdisc htb 1: root refcnt 2 r2q 10 default 0 direct_packets_stat 0 direct_qlen 500',
      'qdisc bfifo 858f: parent 1:121 limit 20000b',
      'class htb 1:120 root rate 1Mbit ceil 1Mbit burst 1600b cburst 1600b',
      'class htb 1:121 parent 1:120 leaf 858f: prio 0 rate 1Mbit ceil 1Mbit burst 1600b cburst 1600b',
      'qdisc htb 1: root refcnt 2 r2q 10 default 0 direct_packets_stat 0 direct_qlen 500',
      'class htb 1:1 root rate 1Mbit ceil 1Mbit burst 1600b cburst 1600b',
    ];
    const actual = actualClasses(listing.join('\n'), ['eth0', 'fpt1']);
    expect(actual).toEqual([
      ...['eth0 root', 'eth0 1:120 1.00e+3 1.00e+3', 'eth0 1:121 1.00e+3 1.00e+3'],
      ...['fpt1 root', 'fpt1 1:1 1.00e+3 1.00e+3'],
    ]);
    expect(removeClasses(strayClasses(actual, ['eth0 root', 'fpt1 root']))).toEqual([
      'class del dev eth0 classid 1:121',
      'class del dev eth0 classid 1:120',
      'class del dev fpt1 classid 1:1',
    ]);
  });

  it('is not touched by a set that already runs', () => {
    fc.assert(
      fc.property(hostSet, set => {
        const changes = plan(set, set);
        expect([...changedRuleset(changes), ...shaperLines(changes, options)]).toEqual([]);
      }),
    );
  });

  it('keeps the counters of remaining keys when the table is reset', () => {
    fc.assert(
      fc.property(hostSet, hostSet, (was, is) => {
        const { firewall: kernel } = start(was);
        const lines = resetRuleset(is, options, kernel.counters);
        kernel.run(lines);
        expect(kernel.state()).toEqual(start(is).firewall.state());
        for (const s of is.subscriptions) {
          for (const key of s.keys)
            expect(lines).not.toContain(`delete counter inet fixpoint d${s.slot}_${key.id}`);
        }
      }),
    );
  });

  it('FV11 returns the marks of keys that are in the table and not in the set, also for a reused address', () => {
    fc.assert(
      fc.property(hostSet, hostSet, (was, is) => {
        const stay = (s: DesiredSubscription, key: DesiredKey) =>
          is.subscriptions.some(
            now =>
              now.slot === s.slot &&
              [undefined, now.prefix6].includes(s.prefix6) &&
              now.keys.some(({ id, address }) => id === key.id && address === key.address),
          );
        const gone = was.subscriptions.flatMap(s =>
          s.keys.flatMap(key => (stay(s, key) ? [] : [String(flowMark(s, key))])),
        );
        expect(removedMarks(wantedElements(was), is).sort()).toEqual(gone.sort());
      }),
    );
  });

  it('leaves addresses alone where the cloud assigns them', () => {
    const set = fc.sample(hostSet, 1)[0]!;
    const managed = { ...options, addresses: 'managed' } as const;
    for (const s of set.subscriptions) {
      expect([...addLines(s, managed, new Set()), ...removeLines(s, managed)].join('\n')).not.toContain(
        'eth0',
      );
    }
  });
});

describe('rates', () => {
  const lines = (rateMbit: number, own?: number) => {
    const s = { ...fc.sample(hostSet, { numRuns: 1, seed: 3 })[0]!.subscriptions[0]!, slot: 1, rateMbit };
    const keys = [{ id: 'k_phone1', address: 2, rateMbit: own }];
    return shaperLines(plan(EMPTY, { dns: [], subscriptions: [{ ...s, keys }] }), options);
  };

  it('are those of the plan; a key has its share and its own limit', () => {
    expect(lines(20, 5)).toEqual([
      'class replace dev fpt1 parent 1: classid 1:1 htb rate 20000kbit ceil 20000kbit burst 6000 cburst 3000 quantum 3000',
      'class replace dev eth0 parent 1: classid 1:120 htb rate 20000kbit ceil 20000kbit burst 6000 cburst 3000 quantum 3000',
      'class replace dev fpt1 parent 1:1 classid 1:11 htb rate 156kbit ceil 5000kbit burst 6000 cburst 3000 quantum 3000',
      'qdisc replace dev fpt1 parent 1:11 bfifo limit 25000',
      'class replace dev eth0 parent 1:120 classid 1:121 htb rate 156kbit ceil 5000kbit burst 6000 cburst 3000 quantum 3000',
      'qdisc replace dev eth0 parent 1:121 bfifo limit 25000',
    ]);
  });

  it('of keys never exceed those of the plan, and neither does the sum of all shares', () => {
    const keys = Array.from({ length: 31 }, (_, n) => ({ id: `k_phone${n}`, address: n + 2 }));
    const s = { ...fc.sample(hostSet, { numRuns: 1, seed: 3 })[0]!.subscriptions[0]!, rateMbit: 50, keys };
    const shares = shaperLines(plan(EMPTY, { dns: [], subscriptions: [s] }), options).flatMap(line => {
      const [, rate] = line.match(/^class replace dev fpt\d+ parent 1:1 .*htb rate (\d+)kbit/) ?? [];
      return rate ? [Number(rate)] : [];
    });
    expect(shares).toHaveLength(31);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(50_000);

    expect(lines(20, 50)).toEqual(lines(20));
  });

  it('grow their buffers with the rate, within bounds', () => {
    expect(lines(100)[2]).toContain('burst 25000 cburst 12500');
    expect(lines(100)[3]).toContain('limit 500000');
    expect(lines(1)[3]).toContain('limit 15000');
    expect(lines(10_000)[3]).toContain('limit 2500000');
  });
});
