import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
import { type StateFile, saver } from './state-file.ts';
import type { Usage } from './usage.ts';

type File = Pick<StateFile<Usage>, 'load' | 'save'>;

const MINUTE_MS = 60_000;

/**
 * Stores the usage count. After each reading in memory, which lives as long as the kernel's
 * counters, so that a restarted agent continues there. Every minute on disk, changed or not: the
 * file time must not show when somebody was connected (K10).
 * @param running file in the run folder, which a reboot empties
 */
export function usageFiles({ running, disk }: { running: File; disk: File }, clock: Clock, log: Log) {
  const [inMemory, onDisk] = [saver(running, 'runningUsage', log), saver(disk, 'usage', log)];
  let written: number | undefined;
  return {
    load: (): Usage | undefined => running.load() ?? disk.load(),
    /** Never throws. @param end the agent exits: writes to disk at once */
    save(usage: Usage, end = false): void {
      inMemory.save(usage);
      const minute = Math.floor(clock().getTime() / MINUTE_MS);
      if (minute === written && !end) return;
      onDisk.save(usage);
      written = minute;
    },
  };
}

export type UsageFiles = ReturnType<typeof usageFiles>;
