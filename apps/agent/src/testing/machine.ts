import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CHILD_ENV, ended, must, run } from '@fixpoint/sandbox/internet/run.ts';

/** A machine of its own in a network namespace: this Debian booted once more with systemd, as a host of an operator. */
export type Machine = {
  /** Runs a command there, as root. @returns what it said @throws Error when it fails */
  run(...command: string[]): Promise<string>;
  /** How a command is run there, as `ssh` is for a machine elsewhere. */
  way: string;
  /** Its file system, seen from here. */
  root: string;
  /** Pulls its plug. What it has written stays in its folder. */
  off(): Promise<void>;
};

const script = fileURLToPath(new URL('./machine.sh', import.meta.url));
const BOOT_MS = 60_000;

/** Places in which a machine's services are kept apart from ours, as far as this machine has them. */
function ownCgroups(name: string): string[] {
  return ['/sys/fs/cgroup/systemd', '/sys/fs/cgroup/unified', '/sys/fs/cgroup'].flatMap(base => {
    try {
      readFileSync(join(base, 'cgroup.procs'));
    } catch {
      return [];
    }
    mkdirSync(join(base, name), { recursive: true });
    return [join(base, name)];
  });
}

/** Systemd makes cgroups of its own below; they can go when the last process in them is gone. */
async function removeCgroup(folder: string): Promise<void> {
  for (let tries = 0; existsSync(folder) && tries < 200; tries++) {
    await run('find', [folder, '-depth', '-type', 'd', '-delete']);
    await sleep(20);
  }
}

/**
 * @param namespace network namespace that it sees
 * @param folder what it has written: empty for a new machine
 * @throws Error when it does not come up
 */
export async function bootMachine(namespace: string, folder: string): Promise<Machine> {
  const cgroups = ownCgroups(namespace);
  const kinds = ['--mount', '--pid', '--cgroup', '--uts', '--ipc', '--fork', '--kill-child'];
  // It joins its cgroups before they become the root of all that it sees.
  const joining = cgroups.map(cgroup => `echo $$ > ${cgroup}/cgroup.procs; `).join('');
  const start = [
    'ip',
    'netns',
    'exec',
    namespace,
    'unshare',
    ...kinds,
    'sh',
    script,
    folder,
    join(folder, 'root'),
  ];
  const child = spawn('sh', ['-c', `${joining}exec "$@"`, 'sh', ...start], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...CHILD_ENV, container: 'fixpoint' },
  });
  const first = (): number =>
    Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ')[0]);
  const inside = (command: string[]) => ['--target', String(first()), '--all', '--root', '--wd', ...command];

  async function off(): Promise<void> {
    child.kill('SIGKILL');
    await ended(child);
    for (const cgroup of cgroups) await removeCgroup(cgroup);
  }

  const booted = async (): Promise<boolean> =>
    readFileSync(`/proc/${first()}/comm`, 'utf8') === 'systemd\n' &&
    (await run('nsenter', inside(['systemctl', 'is-system-running']))).out.trim() === 'running';
  for (let until = performance.now() + BOOT_MS; !(await booted().catch(() => false)); await sleep(50)) {
    if (child.exitCode === null && performance.now() < until) continue;
    await off();
    throw new Error('the machine does not come up');
  }
  return {
    way: ['nsenter', ...inside([])].join(' '),
    root: `/proc/${first()}/root`,
    run: (...command) => must('nsenter', inside(command)),
    off,
  };
}
