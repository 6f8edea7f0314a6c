import { readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100;
let taken = 0;

/** User and system time, in s, of all children of this process that have ended, with theirs; undefined but on Linux. */
function workOfChildren(): number | undefined {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // Behind the program's name, which may hold blanks: field 3 on; cutime and cstime are 16 and 17.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}

/** What ended since the last call: asked at the end of each child, it is what that child has worked. */
export function takeWork(): number | undefined {
  const all = workOfChildren();
  if (all === undefined) return undefined;
  const work = all - taken;
  taken = all;
  return work;
}
