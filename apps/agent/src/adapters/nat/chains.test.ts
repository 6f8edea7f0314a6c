import { describe, expect, it } from 'vitest';
import { chainLines, hasOthers, isWhole, type Listed, OUTER_SEGMENT } from './chains.ts';

const options = { wan: 'eth0', smtp: 'closed' } as const;

/** Converts lines to what the kernel would list. */
const listed = (lines: readonly string[]): Listed[] =>
  lines.flatMap((line): Listed[] => {
    const chain = line.match(
      /^add chain inet fixpoint (\w+)(?: \{ type (\w+) hook (\w+) priority (-?\d+); policy (\w+); \})?$/,
    );
    if (chain) {
      const [, name, type, hook, prio, policy] = chain;
      return [{ chain: { name: name!, ...(type && { type, hook, prio: Number(prio), policy }) } }];
    }
    const rule = line.match(/^add rule inet fixpoint (\w+) .* comment "(.+)"$/);
    return rule ? [{ rule: { chain: rule[1]!, comment: rule[2]! } }] : [];
  });

describe('FV3 a firewall', () => {
  const own = listed(chainLines(options));

  it('is complete when all parts are present, in any order of chains', () => {
    expect(own.length).toBeGreaterThan(15);
    expect(isWhole(own, options)).toBe(true);
    expect(
      isWhole([...own.filter(row => row.rule), ...own.filter(row => row.chain).reverse()], options),
    ).toBe(true);
  });

  it('is incomplete with a missing part, an additional part or another order', () => {
    for (const row of own)
      expect(
        isWhole(
          own.filter(other => other !== row),
          options,
        ),
      ).toBe(false);
    expect(isWhole([], options)).toBe(false);
    expect(isWhole([{ rule: { chain: 'forward' } }, ...own], options)).toBe(false);
    expect(isWhole([...own, { chain: { name: 'theirs' } }], options)).toBe(false);
    expect(isWhole(own.toReversed(), options)).toBe(false);
  });

  it('recognizes a foreign chain', () => {
    expect(hasOthers(own.slice(3), options)).toBe(false);
    expect(hasOthers([...own, { chain: { name: 'theirs' } }], options)).toBe(true);
  });

  it('is incomplete when a chain accepts what it should drop', () => {
    const open = own.map(({ chain, rule }) => ({ rule, chain: chain && { ...chain, policy: 'accept' } }));
    expect(isWhole(open, options)).toBe(false);
  });
});

it('V26 segments of a tunnel over TCP fit a path of 1280 bytes, whichever end sends them', () => {
  const clamped = chainLines(options).flatMap(
    line => line.match(/add rule inet fixpoint (\w+) .*maxseg size set (\d+)/)?.slice(1) ?? [],
  );
  expect(clamped).toEqual(['arrive', '1200', 'leave', '1200']);
  // Headers of TCP with timestamps, and of IPv6, the larger family.
  expect(OUTER_SEGMENT + 40 + 32).toBeLessThanOrEqual(1280);
});

describe('FV2 port 25', () => {
  it('is closed by default', () => {
    const smtp = (lines: string[]) => lines.filter(line => line.includes('tcp dport 25 drop'));
    expect(smtp(chainLines(options))).toHaveLength(1);
    expect(smtp(chainLines({ ...options, smtp: 'open' }))).toEqual([]);
  });
});
