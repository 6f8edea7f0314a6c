import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('@fixpoint/api/', import.meta.url));

/** Where a statement is sent off: no argument, or the handle of an SQL text. A transaction's has its work in there. */
const SENT = /\.execute(?:TakeFirst|TakeFirstOrThrow)?\((?:\w*\)|$)/;
const WRITTEN_ONCE = /const (\w+) = compiled\(/g;
const DECLARED = /^(?:export )?(?:(?:async )?function|const) (\w+)/;

/** Whether a line of a file sends a statement off; one that is written once is, where it is called. */
function sendsOf(text: string): (line: string) => boolean {
  const calls = [...text.matchAll(WRITTEN_ONCE)].map(([, name]) => ` ${name}(`);
  return line => SENT.test(line) || calls.some(call => line.includes(call));
}

/** Every line of the shop's code that makes a statement and what it is in: `modules/billing/view.ts:65 invoiceView`. */
export async function everyStatement(): Promise<string[]> {
  const found: string[] = [];
  for (const name of (await readdir(folder, { recursive: true })).sort()) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue;
    const text = await readFile(join(folder, name), 'utf8');
    const sends = sendsOf(text);
    let declared = '';
    for (const [index, line] of text.split('\n').entries()) {
      declared = DECLARED.exec(line)?.[1] ?? declared;
      if (sends(line)) found.push(`${name}:${index + 1} ${declared}`);
    }
  }
  return found;
}
