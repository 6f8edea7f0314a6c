import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where Linux counts the work of a group of processes: version 1 and version 2 of control groups. */
const GROUPS = '/sys/fs/cgroup';
const ROOTS = [join(GROUPS, 'cpuacct'), GROUPS];

/** Counts the work of one process and of all that it starts. */
export interface Work {
  /** Counts `pid` from now on, before it starts anything. */
  count(pid: number): void;
  /** User and system time in s so far; undefined where the machine does not say. Ends the count. */
  end(): number | undefined;
}

/**
 * By a control group, which also counts what a test has left to itself, and a browser's processes, whose parents do not
 * wait for them. Needs Linux and root; elsewhere nothing is counted.
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
        // It has ended already.
      }
    },
    end() {
      const work = readWork(folder);
      try {
        rmdirSync(folder);
      } catch {
        // Something of it still ends; an empty group costs nothing.
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
