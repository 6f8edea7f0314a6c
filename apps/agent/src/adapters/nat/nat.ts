import type { Nat } from '../../ports/host.ts';
import { must, run } from '../run.ts';
import { type NatOptions, TABLE } from './chains.ts';
import { changedRuleset, resetRuleset } from './ruleset.ts';

export function createNat(options: NatOptions): Nat {
  async function transaction(lines: readonly string[]): Promise<void> {
    if (lines.length > 0) await must('nft', ['-f', '-'], `${lines.join('\n')}\n`);
  }

  async function read(): Promise<Map<string, number>> {
    const { code, stdout } = await run('nft', ['-j', 'list', 'counters', 'table', ...TABLE.split(' ')]);
    // No table yet: the host has just started.
    if (code !== 0) return new Map();
    const { nftables } = JSON.parse(stdout) as { nftables: { counter?: { name: string; bytes: number } }[] };
    return new Map(nftables.flatMap(({ counter }) => (counter ? [[counter.name, counter.bytes]] : [])));
  }

  return {
    read,
    reset: async set => transaction(resetRuleset(set, options, (await read()).keys())),
    apply: changes => transaction(changedRuleset(changes)),
  };
}
