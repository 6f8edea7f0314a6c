import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../apps/api/src/', import.meta.url));

/** Where a statement is sent off: no argument, or the handle of an SQL text. A transaction's has its work in there. */
const SENT = /\.execute(?:TakeFirst|TakeFirstOrThrow)?\(\w*\)/;
const DECLARED = /^(?:export )?(?:(?:async )?function|const) (\w+)/;

/** Every line of the shop's code that makes a statement and what it is in: `modules/billing/view.ts:65 invoiceView`. */
export async function everyStatement(): Promise<string[]> {
  const found: string[] = [];
  for (const name of (await readdir(folder, { recursive: true })).sort()) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue;
    let declared = '';
    for (const [index, line] of (await readFile(join(folder, name), 'utf8')).split('\n').entries()) {
      declared = DECLARED.exec(line)?.[1] ?? declared;
      if (SENT.test(line)) found.push(`${name}:${index + 1} ${declared}`);
    }
  }
  return found;
}
