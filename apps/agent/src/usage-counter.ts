import { type HostReport, PROBE } from '@fixpoint/contract/agent.ts';
import type { Clock } from './clock.ts';
import type { Nat, Netdev } from './ports/host.ts';
import { bangkokDay, count, newUsage, type Usage, usageRows, withoutReadings, withoutRows } from './usage.ts';
import type { UsageFiles } from './usage-files.ts';

type Parts = {
  netdev: Pick<Netdev, 'bytes'>;
  nat: Pick<Nat, 'read'>;
  usageFiles: UsageFiles;
  /** Returns the name of a new usage count when no stored one exists (contract, `epoch`). */
  newEpoch: () => string;
  clock: Clock;
};

export type UsageCounter = ReturnType<typeof createUsageCounter>;

/** Adds the kernel's byte counters to stored totals by key and day. */
export function createUsageCounter({ netdev, nat, usageFiles, newEpoch, clock }: Parts) {
  let usage = usageFiles.load() ?? newUsage(newEpoch());

  function save(next: Usage): void {
    usage = next;
    usageFiles.save(usage);
  }

  return {
    /** Reads the counters. @returns whether the firewall is complete */
    async read(): Promise<boolean> {
      const { bytes, whole } = await nat.read();
      save(count(usage, new Map([...bytes, ...netdev.bytes()]), bangkokDay(clock())));
      return whole;
    },

    /** Forgets the readings of removed counters. */
    forget: (counters: readonly string[]): void => save(withoutReadings(usage, counters)),

    /** Rows to report. @param runs whether the host runs a key; today's rows of those are held back */
    report(runs: (keyId: string) => boolean): Pick<HostReport, 'epoch' | 'usage'> {
      const rows = usageRows(usage, bangkokDay(clock()), runs);
      // Probes are counted like keys but belong to no customer.
      return { epoch: usage.epoch, usage: rows.filter(({ keyId }) => !keyId.startsWith(PROBE)) };
    },

    /** Drops rows that the shop has stored. */
    acknowledge(rows: HostReport['usage']): void {
      // The last bytes of a day that was still being counted when the report was sent are in the
      // next one.
      const today = bangkokDay(clock());
      const probes = usageRows(usage, today, () => true).filter(({ keyId }) => keyId.startsWith(PROBE));
      const finished = [...rows, ...probes].filter(({ day }) => day < today);
      if (finished.length > 0) save(withoutRows(usage, finished));
    },

    /** Writes the totals to disk before the agent exits. */
    flush: (): void => usageFiles.save(usage, true),
  };
}
