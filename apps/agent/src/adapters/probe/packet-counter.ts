import type { DesiredSubscription, Probe } from '@fixpoint/contract/agent.ts';
import { keyAddress, keyAddress6 } from '../../layout.ts';
import { must, run } from '../run.ts';

/** Runs after source NAT. */
const MASKED = 101;

const tableOf = (lane: number): string => `inet fixpoint_probe_${lane}`;

/** Packets of a probe at the network card, by counter name. */
export type CountedPackets = Record<'sold' | 'other' | 'out6' | 'in6', number>;

/** Lines of `nft` for a separate table that only counts a probe's packets. */
function counterLines(s: DesiredSubscription, probe: Probe, wan: string, lane: number): string[] {
  const table = tableOf(lane);
  const [inside, inside6] = [keyAddress(s, probe), keyAddress6(s, probe)];
  const leaves = `add rule ${table} leave oifname "${wan}"`;
  return [
    `add table ${table}`,
    ...['sold', 'other', 'out6', 'in6'].map(name => `add counter ${table} ${name}`),
    `add chain ${table} leave { type filter hook postrouting priority ${MASKED}; }`,
    `${leaves} ct original ip saddr ${inside} ip saddr ${s.bindAddress} counter name sold`,
    `${leaves} ct original ip saddr ${inside} ip saddr != ${s.bindAddress} counter name other`,
    `add chain ${table} arrive { type filter hook prerouting priority 0; }`,
    ...(inside6
      ? [
          `${leaves} ip6 saddr ${inside6} counter name out6`,
          `add rule ${table} arrive iifname "${wan}" ip6 daddr ${inside6} counter name in6`,
        ]
      : []),
  ];
}

/** Removes the table, if it exists. */
export const removePacketCounter = (lane: number): Promise<unknown> =>
  run('nft', ['delete', 'table', ...tableOf(lane).split(' ')]);

/** Starts to count. @throws Error when the kernel refuses */
export async function startPacketCounter(s: DesiredSubscription, probe: Probe, wan: string, lane: number) {
  await must('nft', ['-f', '-'], `${counterLines(s, probe, wan, lane).join('\n')}\n`);
  return {
    async read(): Promise<CountedPackets> {
      const listing = await must('nft', ['-j', 'list', 'table', ...tableOf(lane).split(' ')]);
      type Row = { counter?: { name: string; packets: number } };
      const rows = (JSON.parse(listing) as { nftables: Row[] }).nftables;
      return Object.fromEntries(
        rows.flatMap(({ counter }) => (counter ? [[counter.name, counter.packets]] : [])),
      ) as CountedPackets;
    },
  };
}
