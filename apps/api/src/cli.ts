import { createInterface } from 'node:readline/promises';
import { runShopCommand } from './cli/run.ts';
import { givenSettings } from './env/env.ts';

async function ask(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} (yes/no) `)).trim());
  } finally {
    terminal.close();
  }
}

/** `npm run shop -- COMMAND`: the operator's commands. */
process.exitCode = await runShopCommand(process.argv.slice(2), givenSettings(), {
  ask,
  out: text => void process.stdout.write(text),
  err: text => void process.stderr.write(text),
});
