import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Environment variable that marks all processes of a test run; `basicEnv` passes it on. */
export const RUN = 'FIXPOINT_RUN';

/** A process and its command line. */
export interface Process {
  pid: number;
  command: string;
}

/** Running processes of a test run; always empty on other systems than Linux. */
async function processesOf(run: string): Promise<Process[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter(name => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async pid => {
      // Unreadable: processes of other users, and those that have exited meanwhile.
      const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
      if (!(await read('environ')).split('\0').includes(`${RUN}=${run}`)) return [];
      return [{ pid: Number(pid), command: (await read('cmdline')).replaceAll('\0', ' ').trim() }];
    }),
  );
  return found.flat();
}

/**
 * Waits until no process of a run is left, and kills the rest after a timeout.
 *
 * @param timeoutMs time for the processes to exit
 * @returns the killed processes
 */
export async function endLeftOver(run: string, timeoutMs: number): Promise<Process[]> {
  const late = performance.now() + timeoutMs;
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
    // The process has exited meanwhile.
  }
}
