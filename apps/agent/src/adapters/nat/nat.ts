import { driftOf } from '../../drift.ts';
import { flowMark, flowMarks } from '../../layout.ts';
import type { Log } from '../../log.ts';
import type { Nat } from '../../ports/host.ts';
import { must, run } from '../run.ts';
import { hasOthers, isWhole, type Listed, listedRules, type NatOptions, TABLE } from './chains.ts';
import { byMark, createFlowDeletion, serverFlows } from './flow-deletion.ts';
import {
  actualElements,
  changedRuleset,
  freshRuleset,
  type ListedLookup,
  removedMarks,
  resetRuleset,
  wantedElements,
} from './ruleset.ts';

/** The firewall, the static addresses and the byte counters of the host, by one nftables table. Throws when nft refuses. */
export function createNat(options: NatOptions, log: Log): Nat {
  const forget = createFlowDeletion(log);
  /**
   * The kernel's listing of the rules after the agent created the table. Any difference means that
   * somebody changed them.
   */
  let made: string | undefined;

  async function transaction(lines: readonly string[]): Promise<void> {
    if (lines.length > 0) await must('nft', ['-f', '-'], `${lines.join('\n')}\n`);
  }

  type Row = Listed & { counter?: { name: string; bytes: number }; set?: ListedLookup; map?: ListedLookup };

  /** @param how terse: without the elements of sets and maps */
  async function listed(how: 'whole' | 'terse'): Promise<Row[]> {
    const options = how === 'terse' ? '-jt' : '-j';
    const { code, stdout } = await run('nft', [options, 'list', 'table', ...TABLE.split(' ')]);
    return code === 0 ? (JSON.parse(stdout) as { nftables: Row[] }).nftables : [];
  }

  const actual = (rows: readonly Row[]) => actualElements(rows.flatMap(row => row.set ?? row.map ?? []));

  /**
   * Whether all rules are as this agent created them; for a table of an earlier agent, whether they
   * are all present.
   */
  const isUntouched = (rows: readonly Row[]) =>
    isWhole(rows, options) && (made === undefined || listedRules(rows) === made);

  async function read(): Promise<{ bytes: Map<string, number>; whole: boolean }> {
    const rows = await listed('terse');
    const counters = rows.flatMap(({ counter }) => counter ?? []);
    return {
      bytes: new Map(counters.map(({ name, bytes }) => [name, bytes])),
      whole: made === undefined || isUntouched(rows),
    };
  }

  return {
    read,
    drift: async set => driftOf('firewall', actual(await listed('whole')), wantedElements(set)),
    async reset(set) {
      const was = await listed('whole');
      const counters = was.flatMap(({ counter }) => counter?.name ?? []);
      const fresh = () => transaction(freshRuleset(set, options));
      if (hasOthers(was, options)) await fresh();
      // A map of another agent version may be incompatible.
      else await transaction(resetRuleset(set, options, counters)).catch(fresh);
      const untouched = isUntouched(was);
      const earlier = made;
      made = listedRules(await listed('terse'));
      // The same rules are listed alike: somebody changed them before they were listed.
      if (earlier !== undefined && made !== earlier) {
        await transaction(resetRuleset(set, options, []));
        made = listedRules(await listed('terse'));
      }
      void forget(removedMarks(actual(was), set).map(byMark));
      // Without our rules the kernel may have tracked customers; those entries would reveal them
      // for two hours.
      if (!untouched) void forget(set.subscriptions.flatMap(serverFlows));
    },
    apply: changes => transaction(changedRuleset(changes)),
    forget: gone =>
      forget(
        gone.flatMap(({ slot, keys }) =>
          keys ? keys.map(key => byMark(flowMark({ slot }, key))) : [byMark(flowMarks({ slot }))],
        ),
      ),
  };
}
