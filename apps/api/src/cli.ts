import { createInterface } from 'node:readline/promises';
import { openDatabase } from './adapters/database/database.ts';
import { migrate } from './adapters/database/migrate.ts';
import { asApplication } from './adapters/database/scope.ts';
import { type Command, type Said, UsageError, usageText } from './cli/command.ts';
import { commands } from './cli/commands.ts';
import { readCommandEnv } from './env.ts';
import { isDatabaseGone } from './http/database-gone.ts';

/* `npm run shop -- COMMAND`: tells the shop something, or asks it. */

/** Wrong command line (EX_USAGE of sysexits). */
const EX_USAGE = 64;

async function ask(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} (yes/no) `)).trim());
  } finally {
    terminal.close();
  }
}

const say = (line: string) => void process.stdout.write(`${line}\n`);

async function run(command: Command, args: string[]): Promise<Said> {
  const env = readCommandEnv();
  await migrate(env.DATABASE_URL);
  const { db, close } = openDatabase(env.DATABASE_APP_URL);
  try {
    const said = await asApplication(() => command.run({ db, env, ask, say }, args));
    return typeof said === 'string' ? { says: said, bad: false } : said;
  } finally {
    await close();
  }
}

const [name = '', ...args] = process.argv.slice(2);
const command = await commands[name]?.();
if (command) {
  try {
    const { says, bad } = await run(command, args);
    process.stdout.write(`${says}\n`);
    process.exitCode = bad ? 1 : 0;
  } catch (error) {
    const wrong = error instanceof UsageError;
    const said = isDatabaseGone(error)
      ? `The database does not answer (${(error as Error).message}). The embedded one runs with the shop: npm start. Your own: is DATABASE_URL right?`
      : (error as Error).message;
    process.stderr.write(`${said}\n${wrong ? usageText([command]) : ''}`);
    process.exitCode = wrong ? EX_USAGE : 1;
  }
} else {
  const all = await Promise.all(Object.values(commands).map(load => load()));
  process.stderr.write(`${name ? `${name} is no command.\n` : ''}Commands:\n${usageText(all)}`);
  process.exitCode = EX_USAGE;
}
