import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type Role, roles } from './roles.ts';

/** Random passwords for the roles. */
export function newPasswords(): Record<Role, string> {
  const random = () => randomBytes(24).toString('hex');
  return { owner: random(), app: random(), customer: random(), member: random() };
}

/** Sorted by code point, because an index must not change with the machine's C library. */
const createDatabase = (name: string): string =>
  `create database ${name} owner ${roles.owner} template template0 ` +
  `encoding 'UTF8' locale_provider libc lc_collate 'C' lc_ctype 'C'`;

/** Only a member of a role may make it the owner of a database; a superuser counts as a member. */
const join = `grant ${roles.owner} to current_user`;
const leave = `revoke ${roles.owner} from current_user`;

/**
 * The roles may only log in: no superuser, no creation of roles or databases, no bypass of
 * row-level security.
 */
function roleStatements(passwords: Record<Role, string> | undefined): string[] {
  return (Object.keys(roles) as Role[]).flatMap(role => [
    `do $$ begin create role ${roles[role]} login; exception when duplicate_object then null; end $$`,
    ...(passwords ? [`alter role ${roles[role]} with login password '${passwords[role]}'`] : []),
  ]);
}

/**
 * Creates the roles and the database if they are missing. The migrations grant the roles
 * their rights.
 * @param adminUrl a user who may create roles and databases, in any database of that server
 * @param name of the database; a plain lower-case word
 * @param passwords set for new and existing roles; without them, the roles log in without a
 *   password
 */
export async function prepareDatabase(
  adminUrl: string,
  name: string,
  passwords?: Record<Role, string>,
): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    for (const statement of roleStatements(passwords)) await client.query(statement);
    const { rows } = await client.query<{ owner: string }>(
      'select pg_get_userbyid(datdba) as owner from pg_database where datname = $1',
      [name],
    );
    if (rows[0]?.owner === roles.owner) return;
    await client.query(join);
    await client.query(rows[0] ? `alter database ${name} owner to ${roles.owner}` : createDatabase(name));
    await client.query(leave);
  } finally {
    await client.end();
  }
}

/**
 * The same as a script for `psql`, for operators who want to read it first or may not run this
 * program there.
 */
export function prepareScript(name: string, passwords: Record<Role, string>): string {
  return [
    ...roleStatements(passwords).map(statement => `${statement};`),
    `${join};`,
    `select '${createDatabase(name).replaceAll("'", "''")}'`,
    `  where not exists (select from pg_database where datname = '${name}') \\gexec`,
    `alter database ${name} owner to ${roles.owner};`,
    `${leave};`,
    '',
  ].join('\n');
}
