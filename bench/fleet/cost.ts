import { cpuOf, memoryOf, treeOf } from '../calls/cpu.ts';

/**
 * What a while costs: CPU seconds of each part in a second, and what it holds at the end.
 * @param pids of each part, asked before and after: a part that was restarted meanwhile is counted from its start
 */
export async function costOf(pids: () => Record<string, number>, work: () => Promise<void>): Promise<string> {
  const before = pids();
  const used = await Promise.all(Object.values(before).map(cpuOf));
  const begun = performance.now();
  await work();
  const took = performance.now() - begun;
  const told = Object.entries(pids()).map(async ([name, pid], index) => {
    const earlier = before[name] === pid ? used[index]! : 0;
    const cpu = ((await cpuOf(pid)) - earlier) / took;
    const held = await Promise.all((await treeOf(pid)).map(memoryOf));
    return `${name} ${cpu.toFixed(2)} CPU s a second, ${held.reduce((sum, each) => sum + each, 0).toFixed(0)} MiB`;
  });
  return (await Promise.all(told)).join('; ');
}
