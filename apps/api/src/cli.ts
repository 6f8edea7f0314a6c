import { createInterface } from 'node:readline/promises';
import { databaseCommand } from './cli/database.ts';
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

async function setUpHere(): Promise<number> {
  const { setUp } = await import('./cli/setup/setup.ts');
  const { thisMachine } = await import('./cli/setup/machine.ts');
  return setUp(thisMachine, area, words);
}

async function upgradeHere(): Promise<number> {
  const { upgradeOrRollBack } = await import('./cli/upgrade/upgrade.ts');
  const { thisMachine } = await import('./cli/setup/machine.ts');
  return upgradeOrRollBack(thisMachine, area, words);
}

/** Commands on the machine itself, which need no running shop. */
const onMachine: Record<string, () => Promise<number>> = {
  database: () => databaseCommand(words, givenSettings()),
  setup: setUpHere,
  doctor: setUpHere,
  upgrade: upgradeHere,
  rollback: upgradeHere,
};

/** `npm run shop -- COMMAND`: the operator's commands. */
const [area = '', ...words] = process.argv.slice(2);
const onThisMachine = words.includes('--help') ? undefined : onMachine[area];
process.exitCode = await (onThisMachine?.() ??
  runShopCommand(process.argv.slice(2), givenSettings(), {
    ask,
    out: text => void process.stdout.write(text),
    err: text => void process.stderr.write(text),
  }));
