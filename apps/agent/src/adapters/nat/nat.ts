import { driftOf } from '../../drift.ts';
import { flowMark, flowMarks } from '../../layout.ts';
import type { Log } from '../../log.ts';
import type { Nat } from '../../ports/host.ts';
import { must, run } from '../run.ts';
import { isWhole, type Listed, type NatOptions, TABLE } from './chains.ts';
import { createForgetting } from './connections.ts';
import { changedRuleset, heldElements, resetRuleset, type ToldLookup, wantedElements } from './ruleset.ts';

export function createNat(options: NatOptions, log: Log): Nat {
  const forgetMarked = createForgetting(log);
  /** The agent has made its table once: from then on it is there, or somebody has taken it away. */
  let made = false;

  async function transaction(lines: readonly string[]): Promise<void> {
    if (lines.length > 0) await must('nft', ['-f', '-'], `${lines.join('\n')}\n`);
  }

  async function read(): Promise<{ bytes: Map<string, number>; whole: boolean }> {
    // Terse: without what sets and maps hold.
    const { code, stdout } = await run('nft', ['-jt', 'list', 'table', ...TABLE.split(' ')]);
    type Row = Listed & { counter?: { name: string; bytes: number } };
    const rows = code === 0 ? (JSON.parse(stdout) as { nftables: Row[] }).nftables : [];
    const counters = rows.flatMap(({ counter }) => counter ?? []);
    return {
      bytes: new Map(counters.map(({ name, bytes }) => [name, bytes])),
      whole: !made || isWhole(rows, options),
    };
  }

  return {
    read,
    async drift(set) {
      const { code, stdout } = await run('nft', ['-j', 'list', 'table', ...TABLE.split(' ')]);
      type Row = { set?: ToldLookup; map?: ToldLookup };
      const rows = code === 0 ? (JSON.parse(stdout) as { nftables: Row[] }).nftables : [];
      const held = heldElements(rows.flatMap(row => row.set ?? row.map ?? []));
      return driftOf('firewall', held, wantedElements(set));
    },
    async reset(set) {
      await transaction(resetRuleset(set, options, (await read()).bytes.keys()));
      made = true;
    },
    apply: changes => transaction(changedRuleset(changes)),
    forget: gone =>
      forgetMarked(
        gone.flatMap(
          ({ slot, keys }) => keys?.map(key => String(flowMark({ slot }, key))) ?? [flowMarks({ slot })],
        ),
      ),
  };
}
