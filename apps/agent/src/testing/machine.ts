import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CHILD_ENV, ended, must, run } from '@fixpoint/sandbox/internet/run.ts';

/**
 * A machine in a network namespace: this Debian booted again with systemd, like an operator's host.
 */
export type Machine = {
  /** Runs a command there, as root. @returns its output @throws Error when it fails */
  run(...command: string[]): Promise<string>;
  /** Command prefix that runs a command there, as `ssh` does for a remote machine. */
  way: string;
  /** Its file system, seen from outside. */
  root: string;
  /** Powers it off. Its written files stay in its folder. */
  off(): Promise<void>;
};

const script = fileURLToPath(new URL('./machine.sh', import.meta.url));
/** It boots in four seconds, and in forty on a busy machine. */
const BOOT_MS = 180_000;
const LOOK_MS = 250;

/** Cgroups for the machine's services, as far as this machine has the controllers. */
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

/** systemd creates cgroups below; they can be removed after their last process has ended. */
async function removeCgroup(folder: string): Promise<void> {
  for (let tries = 0; existsSync(folder) && tries < 200; tries++) {
    await run('find', [folder, '-depth', '-type', 'd', '-delete']);
    await sleep(20);
  }
}

/**
 * @param namespace its network namespace
 * @param folder its written files: empty for a new machine
 * @throws Error when it does not boot
 */
export async function bootMachine(namespace: string, folder: string): Promise<Machine> {
  const cgroups = ownCgroups(namespace);
  const kinds = ['--mount', '--pid', '--cgroup', '--uts', '--ipc', '--fork', '--kill-child'];
  // It joins its cgroups before they become the root of its view.
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

  const asked = async (...question: string[]) =>
    (await run('nsenter', inside(['systemctl', ...question]))).out.trim();
  const state = async (): Promise<string> => {
    const name = readFileSync(`/proc/${first()}/comm`, 'utf8').trim();
    return name === 'systemd' ? asked('is-system-running') : name;
  };
  const look = () => state().catch(() => 'not there');
  const until = performance.now() + BOOT_MS;
  for (let last = await look(); last !== 'running'; last = await look()) {
    await sleep(LOOK_MS);
    if (child.exitCode === null && performance.now() < until) continue;
    const failed = await asked('list-units', '--failed', '--plain', '--no-legend').catch(() => '');
    await off();
    throw new Error(`the machine does not come up: ${last} ${failed}`);
  }
  return {
    way: ['nsenter', ...inside([])].join(' '),
    root: `/proc/${first()}/root`,
    run: (...command) => must('nsenter', inside(command)),
    off,
  };
}
