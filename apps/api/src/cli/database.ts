import { parseArgs } from 'node:util';
import { database, withDatabase } from '@fixpoint/postgres/address.ts';
import { newPasswords, prepareDatabase, prepareScript } from '@fixpoint/postgres/prepare.ts';
import { type DatabaseUrls, databaseSettings, urlsFor } from '@fixpoint/postgres/roles.ts';
import pg from 'pg';
import { expandDatabase } from '../database/migrate.ts';
import { readEnv } from '../env/env.ts';
import { OperatorFault } from '../kernel/operator-fault.ts';

/** Usage of the command, also for docs/operate/reference.md. */
export const databaseUsage = [
  {
    form: 'database prepare ADMIN_URL [--print] [--name NAME]',
    does: `Creates the four roles and the database of the shop on a PostgreSQL of your own (15 or newer), and prints the lines for .env. ADMIN_URL is postgresql://USER:PASSWORD@HOST/postgres of a user who may create roles and databases. --print only prints the statements for psql; ADMIN_URL then only names the host. --name sets the name of the database (default: ${database}). A second run gives the roles new passwords.`,
  },
] as const;

const USAGE = `Usage: npm run shop -- ${databaseUsage[0].form}\n${databaseUsage[0].does}\n`;
/** Wrong command line (EX_USAGE of sysexits). */
const EX_USAGE = 64;

/** Runs `database prepare`, or `database roles` and `database expand` of an upgrade. @returns the exit code */
export async function databaseCommand(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  if (args[0] === 'expand') return expandOwn(env);
  if (args[0] !== 'roles') return prepareOwn(args);
  const { addRoles } = await import('./setup/database-roles.ts');
  const { thisMachine } = await import('./setup/machine.ts');
  return addRoles(thisMachine);
}

/** Checks the settings and expands the database for this version, while an older one may run. */
async function expandOwn(env: NodeJS.ProcessEnv): Promise<number> {
  try {
    const { applied, waiting } = await expandDatabase(readEnv(env).DATABASE_URL);
    const added = applied.length > 0 ? applied.join(', ') : 'nothing to add';
    process.stdout.write(`The database is ready for this version (${added}).\n`);
    if (waiting.length > 0)
      process.stdout.write(
        `Its start will remove what the version before uses (${waiting.join(', ')}): there is no way back after it.\n`,
      );
    return 0;
  } catch (error) {
    if (!(error instanceof OperatorFault)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

async function prepareOwn(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    options: { print: { type: 'boolean' }, name: { type: 'string', default: database } },
    allowPositionals: true,
    strict: false,
  });
  const [action, adminUrl] = positionals;
  const name = String(values.name);
  if (
    action !== 'prepare' ||
    !/^postgres(ql)?:\/\//.test(adminUrl ?? '') ||
    !/^[a-z_][a-z0-9_]*$/.test(name)
  ) {
    process.stderr.write(USAGE);
    return EX_USAGE;
  }
  const passwords = newPasswords();
  const urls = urlsFor(withDatabase(adminUrl!, name), passwords);
  if (values.print) {
    process.stdout.write(`${prepareScript(name, passwords)}\n${commented(forEnv(urls))}`);
    return 0;
  }
  try {
    await prepareDatabase(adminUrl!, name, passwords);
  } catch (error) {
    process.stderr.write(`The database is not prepared: ${(error as Error).message}\n`);
    return 1;
  }
  process.stdout.write(`Ready. Put these lines into .env:\n\n${forEnv(urls)}`);
  return (await canLogIn(urls)) ? 0 : 1;
}

const forEnv = (urls: DatabaseUrls): string =>
  Object.entries(databaseSettings(urls))
    .map(([setting, url]) => `${setting}=${url}\n`)
    .join('');

const commented = (lines: string): string => lines.replace(/^(?=.)/gm, '-- ');

/** Tries the owner's login, and explains a refusal. */
async function canLogIn(urls: DatabaseUrls): Promise<boolean> {
  const client = new pg.Client({ connectionString: urls.owner });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return true;
  } catch (error) {
    process.stderr.write(
      `\nBut the server refuses the login at this address: ${(error as Error).message}\n` +
        'Allow the roles to log in by password (scram-sha-256) in its pg_hba.conf, or use an address that allows it.\n',
    );
    return false;
  }
}
