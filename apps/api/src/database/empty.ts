import type { Client } from 'pg';
import { connected } from './check.ts';

/** Number of tables and other objects in a database, without those of extensions. */
export async function objectsIn(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_class
     join pg_namespace on pg_namespace.oid = relnamespace
     where nspname <> 'information_schema' and nspname !~ '^pg_'
       and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')`,
  );
  return rows[0]!.count;
}

/** Empties a database of everything that its owner made. @param ownerUrl of a database that was empty before */
export async function dropAll(ownerUrl: string): Promise<void> {
  const client = await connected(ownerUrl, 'DATABASE_URL');
  await client.query('drop owned by current_user').finally(() => client.end());
}

/** Who may connect is a right of the database itself, which no dump has. As in 0002_rights.sql and 0043_members.sql. */
export async function grantConnections(ownerUrl: string): Promise<void> {
  const client = await connected(ownerUrl, 'DATABASE_URL');
  await client
    .query(
      `do $$ begin
         execute format('revoke all on database %I from public', current_database());
         execute format('grant connect on database %I to fixpoint_app, fixpoint_customer, fixpoint_member', current_database());
       end $$`,
    )
    .finally(() => client.end());
}
