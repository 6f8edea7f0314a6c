import { cpuOf, memoryOf, treeOf } from '../calls/cpu.ts';

/**
 * Measures CPU seconds per second of each process while `work` runs, and its memory at the end.
 * @param pids by name, read before and after: a process that restarted meanwhile is counted from its start
 * @returns one line for people
 */
export async function costOf(pids: () => Record<string, number>, work: () => Promise<void>): Promise<string> {
  const before = pids();
  const used = await Promise.all(Object.values(before).map(cpuOf));
  const begun = performance.now();
  await work();
  const took = performance.now() - begun;
  const parts = Object.entries(pids()).map(async ([name, pid], index) => {
    const earlier = before[name] === pid ? used[index]! : 0;
    const cpu = ((await cpuOf(pid)) - earlier) / took;
    const memory = await Promise.all((await treeOf(pid)).map(memoryOf));
    return `${name} ${cpu.toFixed(2)} CPU s/s, ${memory.reduce((sum, each) => sum + each, 0).toFixed(0)} MiB`;
  });
  return (await Promise.all(parts)).join('; ');
}
