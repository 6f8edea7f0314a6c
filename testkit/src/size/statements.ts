import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../apps/api/src/', import.meta.url));

/** Call that sends a statement: without an argument, or with the handle of an SQL text. `execute` of a transaction takes a function. */
const SENT = /\.execute(?:TakeFirst|TakeFirstOrThrow)?\((?:\w*\)|$)/;
const WRITTEN_ONCE = /const (\w+) = compiled\(/g;
const DECLARED = /^(?:export )?(?:(?:async )?function|const) (\w+)/;

/** Finds lines of a file that send a statement. A prepared query counts where it is called. */
function statementFinder(text: string): (line: string) => boolean {
  const calls = [...text.matchAll(WRITTEN_ONCE)].map(([, name]) => ` ${name}(`);
  return line => SENT.test(line) || calls.some(call => line.includes(call));
}

/** Every statement in the shop's code with its function: `modules/billing/view.ts:65 invoiceView`. */
export async function allStatements(): Promise<string[]> {
  const found: string[] = [];
  for (const name of (await readdir(folder, { recursive: true })).sort()) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue;
    const text = await readFile(join(folder, name), 'utf8');
    const sends = statementFinder(text);
    let declared = '';
    for (const [index, line] of text.split('\n').entries()) {
      declared = DECLARED.exec(line)?.[1] ?? declared;
      if (sends(line)) found.push(`${name}:${index + 1} ${declared}`);
    }
  }
  return found;
}
