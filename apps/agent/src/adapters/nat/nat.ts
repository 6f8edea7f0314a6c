import { driftOf } from '../../drift.ts';
import { flowMark, flowMarks } from '../../layout.ts';
import type { Log } from '../../log.ts';
import type { Nat } from '../../ports/host.ts';
import { must, run } from '../run.ts';
import { hasOthers, isWhole, type Listed, type NatOptions, TABLE, toldRules } from './chains.ts';
import { createForgetting } from './connections.ts';
import {
  anewRuleset,
  changedRuleset,
  goneMarks,
  heldElements,
  resetRuleset,
  type ToldLookup,
  wantedElements,
} from './ruleset.ts';

export function createNat(options: NatOptions, log: Log): Nat {
  const forgetMarked = createForgetting(log);
  /** Rules as the kernel told them when the agent had made its table: from then on they are there, or somebody has changed them. */
  let made: string | undefined;

  async function transaction(lines: readonly string[]): Promise<void> {
    if (lines.length > 0) await must('nft', ['-f', '-'], `${lines.join('\n')}\n`);
  }

  type Row = Listed & { counter?: { name: string; bytes: number }; set?: ToldLookup; map?: ToldLookup };

  /** @param how terse: without what sets and maps hold */
  async function listed(how: 'whole' | 'terse'): Promise<Row[]> {
    const options = how === 'terse' ? '-jt' : '-j';
    const { code, stdout } = await run('nft', [options, 'list', 'table', ...TABLE.split(' ')]);
    return code === 0 ? (JSON.parse(stdout) as { nftables: Row[] }).nftables : [];
  }

  const held = (rows: readonly Row[]) => heldElements(rows.flatMap(row => row.set ?? row.map ?? []));

  async function read(): Promise<{ bytes: Map<string, number>; whole: boolean }> {
    const rows = await listed('terse');
    const counters = rows.flatMap(({ counter }) => counter ?? []);
    return {
      bytes: new Map(counters.map(({ name, bytes }) => [name, bytes])),
      whole: made === undefined || (isWhole(rows, options) && toldRules(rows) === made),
    };
  }

  return {
    read,
    drift: async set => driftOf('firewall', held(await listed('whole')), wantedElements(set)),
    async reset(set) {
      const was = await listed('whole');
      const counters = was.flatMap(({ counter }) => counter?.name ?? []);
      const anew = () => transaction(anewRuleset(set, options));
      if (hasOthers(was, options)) await anew();
      // A map of another version of the agent cannot be made this one's.
      else await transaction(resetRuleset(set, options, counters)).catch(anew);
      made = toldRules(await listed('terse'));
      void forgetMarked(goneMarks(held(was), set));
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
