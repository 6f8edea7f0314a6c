import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type Role, roles } from './roles.ts';

/** New passwords for the three roles. */
export function newPasswords(): Record<Role, string> {
  const random = () => randomBytes(24).toString('hex');
  return { owner: random(), app: random(), customer: random() };
}

/** Sorted by code point: an index must not change with the machine's C library. */
const createDatabase = (name: string): string =>
  `create database ${name} owner ${roles.owner} template template0 ` +
  `encoding 'UTF8' locale_provider libc lc_collate 'C' lc_ctype 'C'`;

/** Only a member of a role may give it a database; a superuser is taken for one anyway. */
const join = `grant ${roles.owner} to current_user`;
const leave = `revoke ${roles.owner} from current_user`;

/** They may log in and nothing else: no superuser, no new roles or databases, no way past the policies. */
function roleStatements(passwords: Record<Role, string> | undefined): string[] {
  return (Object.keys(roles) as Role[]).flatMap(role => [
    `do $$ begin create role ${roles[role]} login; exception when duplicate_object then null; end $$`,
    ...(passwords ? [`alter role ${roles[role]} with login password '${passwords[role]}'`] : []),
  ]);
}

/**
 * Makes the three roles and the database, where they are not there yet. What the roles may do in it is said by the
 * migrations.
 * @param adminUrl somebody who may create roles and databases, in any database of that server
 * @param name of the database; a plain lower-case word
 * @param passwords set again, also for roles that are there; without them the roles log in without
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

/** The same as a script for `psql`, for whoever wants to read it before, or may not run ours on his server. */
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
