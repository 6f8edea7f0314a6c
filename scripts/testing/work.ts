import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Roots of control groups, version 1 and version 2. */
const GROUPS = '/sys/fs/cgroup';
const ROOTS = [join(GROUPS, 'cpuacct'), GROUPS];

/** Counts the CPU time of a process and its descendants. */
export interface Work {
  /** Counts `pid` from now on; call it before the process starts others. */
  count(pid: number): void;
  /** Ends the count. @returns user and system time in s; undefined where the machine cannot count it */
  end(): number | undefined;
}

/**
 * Uses a control group, which also counts orphans and the processes of a browser, whose parents do not wait for them. Needs
 * Linux and root; elsewhere nothing is counted.
 * @param name of the step
 */
export function countWork(name: string): Work {
  const group = `fixpoint-${process.pid}-${name.replaceAll(' ', '-')}`;
  const root = ROOTS.find(each => existsSync(join(each, 'cgroup.procs')));
  if (!root) return uncounted;
  const folder = join(root, group);
  try {
    mkdirSync(folder);
  } catch {
    return uncounted;
  }
  return {
    count(pid) {
      try {
        writeFileSync(join(folder, 'cgroup.procs'), `${pid}`);
      } catch {
        // The process has exited already.
      }
    },
    end() {
      const work = readWork(folder);
      try {
        rmdirSync(folder);
      } catch {
        // A process of the group is still exiting; an empty group costs nothing.
      }
      return work;
    },
  };
}

const uncounted: Work = { count: () => undefined, end: () => undefined };

function readWork(folder: string): number | undefined {
  try {
    return Number(readFileSync(join(folder, 'cpuacct.usage'), 'utf8')) / 1e9;
  } catch {
    const stat = existsSync(join(folder, 'cpu.stat')) ? readFileSync(join(folder, 'cpu.stat'), 'utf8') : '';
    const [, usec] = /^usage_usec (\d+)/m.exec(stat) ?? [];
    return usec === undefined ? undefined : Number(usec) / 1e6;
  }
}
