import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
import { type StateFile, saver } from './state-file.ts';
import type { Usage } from './usage.ts';

type File = Pick<StateFile<Usage>, 'load' | 'save'>;

const MINUTE_MS = 60_000;

/**
 * Where the count is kept. After each reading in memory, where it is for as long as the kernel's counters are: an agent that
 * starts again reads on from there, whatever the disk has. And each minute on the disk, whether anything was counted or not:
 * the time of the file would say when somebody was there last (K10).
 * @param running in the folder of what runs, which a reboot empties
 */
export function usageFiles({ running, disk }: { running: File; disk: File }, clock: Clock, log: Log) {
  const [inMemory, onDisk] = [saver(running, 'runningUsage', log), saver(disk, 'usage', log)];
  let written: number | undefined;
  return {
    load: (): Usage | undefined => running.load() ?? disk.load(),
    /** Never fails. @param end the agent ends: the disk has it at once */
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
