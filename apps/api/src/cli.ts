import { openDatabase } from './adapters/database/database.ts';
import { migrate } from './adapters/database/migrate.ts';
import { asApplication } from './adapters/database/scope.ts';
import { attention } from './cli/attention.ts';
import { books } from './cli/books.ts';
import { clock } from './cli/clock.ts';
import { type Command, type Said, UsageError, usageText } from './cli/command.ts';
import { hostToken } from './cli/host-token.ts';
import { maintenance } from './cli/maintenance.ts';
import { text } from './cli/text.ts';
import { readCommandEnv } from './env.ts';

/** `npm run shop -- COMMAND`: what the operator can tell the shop, and ask it. */
const commands: Record<string, Command> = {
  attention,
  books,
  clock,
  'host-token': hostToken,
  maintenance,
  text,
};

/** Wrong command line (EX_USAGE of sysexits). */
const EX_USAGE = 64;

async function run(command: Command, args: string[]): Promise<Said> {
  const env = readCommandEnv();
  await migrate(env.DATABASE_URL);
  const { db, close } = openDatabase(env.DATABASE_APP_URL);
  try {
    const said = await asApplication(() => command.run({ db, env }, args));
    return typeof said === 'string' ? { says: said, bad: false } : said;
  } finally {
    await close();
  }
}

const [name = '', ...args] = process.argv.slice(2);
const command = commands[name];
if (command) {
  try {
    const { says, bad } = await run(command, args);
    process.stdout.write(`${says}\n`);
    process.exitCode = bad ? 1 : 0;
  } catch (error) {
    const wrong = error instanceof UsageError;
    process.stderr.write(`${(error as Error).message}\n${wrong ? usageText([command]) : ''}`);
    process.exitCode = wrong ? EX_USAGE : 1;
  }
} else {
  process.stderr.write(
    `${name ? `${name} is no command.\n` : ''}Commands:\n${usageText(Object.values(commands))}`,
  );
  process.exitCode = EX_USAGE;
}
