import { startJobs } from '../adapters/jobs/runner.ts';
import { openDatabase } from '../database/database.ts';
import { checkMigrated, NotMigrated } from '../database/migrate.ts';
import { asApplication } from '../database/scope.ts';
import { readCommandEnv } from '../env/env.ts';
import { isDatabaseGone } from '../http/database-gone.ts';
import { type Command, type Context, type Said, UsageError, usageText } from './command.ts';
import { aliases, commands } from './commands.ts';

/** Wrong command line (EX_USAGE of sysexits). */
const EX_USAGE = 64;
/** The database has another version (EX_UNAVAILABLE). */
const EX_UNAVAILABLE = 69;

/** Output of a command, and its questions. */
export type Terminal = Pick<Context, 'ask'> & { out(text: string): void; err(text: string): void };

/**
 * Runs the command named by `args` with the settings of `env`.
 *
 * @param openJobs opens the job queue; tests pass theirs
 * @returns exit code: 0 done, 1 failed or action needed, 64 wrong command line, 69 database of
 *   another version
 */
export async function runShopCommand(
  [name = '', ...args]: string[],
  env: NodeJS.ProcessEnv,
  terminal: Terminal,
  openJobs: Context['openJobs'] = startJobs,
): Promise<number> {
  const command = await commands[aliases.get(name) ?? name]?.();
  if (!command) {
    const all = await Promise.all(Object.values(commands).map(load => load()));
    terminal.err(`${name ? `${name} is not a command.\n` : ''}Commands:\n${usageText(all)}`);
    return EX_USAGE;
  }
  try {
    const { says, bad } = await run(command, args, env, terminal, openJobs);
    terminal.out(`${says}\n`);
    return bad ? 1 : 0;
  } catch (error) {
    const wrong = error instanceof UsageError;
    const said = isDatabaseGone(error)
      ? `The database does not answer (${(error as Error).message}). The embedded database runs with the shop: npm start. For your own, check DATABASE_URL.`
      : (error as Error).message;
    terminal.err(`${said}\n${wrong ? usageText([command]) : ''}`);
    if (wrong) return EX_USAGE;
    return error instanceof NotMigrated ? EX_UNAVAILABLE : 1;
  }
}

async function run(
  command: Command,
  args: string[],
  source: NodeJS.ProcessEnv,
  { out, ask }: Terminal,
  openJobs: Context['openJobs'],
): Promise<Said> {
  const env = readCommandEnv(source);
  await checkMigrated(env.DATABASE_URL);
  const { db, close } = openDatabase(env.DATABASE_APP_URL);
  const say = (line: string) => out(`${line}\n`);
  try {
    const said = await asApplication(() => command.run({ db, env, source, ask, say, openJobs }, args));
    return typeof said === 'string' ? { says: said, bad: false } : said;
  } finally {
    await close();
  }
}
