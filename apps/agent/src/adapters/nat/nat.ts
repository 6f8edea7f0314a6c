import type { Nat } from '../../ports/host.ts';
import { must, run } from '../run.ts';
import { changedRuleset, resetRuleset, TABLE } from './ruleset.ts';

/** @param wan the host's network card */
export function createNat(wan: string): Nat {
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
    reset: async set => transaction(resetRuleset(set, wan, (await read()).keys())),
    apply: changes => transaction(changedRuleset(changes)),
  };
}
