import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Setting that everything started by one run of the tests has in its environment: `basicEnv` passes it on. */
export const RUN = 'FIXPOINT_RUN';

/** A process, and how it was called. */
export interface Process {
  pid: number;
  command: string;
}

/** What a run has started and is still there; on Linux, elsewhere nobody can say. */
async function processesOf(run: string): Promise<Process[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter(name => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async pid => {
      // Those of other users say nothing, and those that have gone meanwhile.
      const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
      if (!(await read('environ')).split('\0').includes(`${RUN}=${run}`)) return [];
      return [{ pid: Number(pid), command: (await read('cmdline')).replaceAll('\0', ' ').trim() }];
    }),
  );
  return found.flat();
}

/**
 * Waits until nothing is left of a run, and ends what does not end by itself.
 *
 * @param patience ms
 * @returns what had to be ended
 */
export async function endLeftOver(run: string, patience: number): Promise<Process[]> {
  const late = performance.now() + patience;
  for (;;) {
    const left = await processesOf(run);
    if (left.length === 0) return [];
    if (performance.now() > late) {
      for (const { pid } of left) kill(pid);
      return left;
    }
    await delay(250);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
