import { readdir, readFile } from 'node:fs/promises';

/** Clock ticks per second in /proc (USER_HZ). */
const TICKS = 100;

type Times = { parent: number; own: number; exitedChildren: number };

async function timesOf(pid: number): Promise<Times | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (!text) return undefined;
  // The name may hold spaces and brackets.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return { parent: fields[1]!, own: fields[11]! + fields[12]!, exitedChildren: fields[13]! + fields[14]! };
}

/** CPU milliseconds that a process and its children have used, including children that have exited. */
export async function cpuOf(pid: number): Promise<number> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name)).map(Number);
  const all = await Promise.all(pids.map(timesOf));
  const own = all[pids.indexOf(pid)];
  const children = all.filter(times => times?.parent === pid).reduce((sum, times) => sum + times!.own, 0);
  return (((own?.own ?? 0) + (own?.exitedChildren ?? 0) + children) * 1000) / TICKS;
}

/** Memory of a process in MiB; shared pages count proportionally (PSS). */
export async function memoryOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024;
}

/** PIDs of a process and its descendants. */
export async function treeOf(pid: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name)).map(Number);
  const parents = new Map(
    await Promise.all(pids.map(async each => [each, (await timesOf(each))?.parent] as const)),
  );
  const below = (root: number): number[] => [
    root,
    ...pids.filter(each => parents.get(each) === root).flatMap(below),
  ];
  return below(pid);
}
