import { Client } from 'pg';
import { OperatorFault } from '../kernel/operator-fault.ts';

/** The oldest PostgreSQL that the shop is tested with, and what Debian 12 has. */
const OLDEST = 15;
const PREPARE = 'npm run shop -- database prepare ADMIN_URL';

/** What to say about a server of this version; undefined for one that will do. */
export const versionFault = (version: string): string | undefined =>
  Number.parseInt(version, 10) >= OLDEST
    ? undefined
    : `PostgreSQL ${version} is too old: Fixpoint needs ${OLDEST} or newer.`;

/** @throws OperatorFault when the server is too old */
export async function checkVersion(client: Client): Promise<void> {
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  const fault = versionFault(rows[0]!.server_version);
  if (fault) throw new OperatorFault(fault);
}

/**
 * A connection as whom a setting names; its end is the caller's.
 * @param setting the name of the setting that holds `url`
 * @throws OperatorFault when the server is there and refuses it
 */
export async function connected(url: string, setting: string): Promise<Client> {
  let client: Client | undefined;
  try {
    client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
    // A connection that breaks fails the statement under way; unheard, it would end the process.
    client.on('error', () => {});
    await client.connect();
    return client;
  } catch (error) {
    await client?.end().catch(() => {});
    const { code = '', message } = error as { code?: string; message: string };
    if (/^(ENOTFOUND|EAI_AGAIN|ERR_INVALID_URL)$/.test(code))
      throw new OperatorFault(`${setting} names no database server that can be found: ${message}`);
    // 28…: refused at the door. 3D000: no such database.
    if (!/^(28\w{3}|3D000)$/.test(code)) throw error;
    throw new OperatorFault(`${setting}: ${message}. Run: ${PREPARE}`);
  }
}

/**
 * Looks whether a connection string logs in as the role that it is meant for, with no more rights than that role should
 * have.
 * @param setting the name of the setting that holds it
 * @throws OperatorFault
 */
export async function checkRole(url: string, role: string, setting: string): Promise<void> {
  const client = await connected(url, setting);
  try {
    const { rows } = await client.query<{ name: string; mighty: boolean }>(
      `select current_user as name,
         rolsuper or rolbypassrls or (rolname <> 'fixpoint_owner' and pg_has_role('fixpoint_owner', 'member')) as mighty
       from pg_roles where rolname = current_user`,
    );
    const { name, mighty } = rows[0]!;
    if (name !== role)
      throw new OperatorFault(`${setting} logs in as ${name}, not as ${role}. Run: ${PREPARE}`);
    if (mighty)
      throw new OperatorFault(
        `${role} may do more than it should: it is a superuser, passes by the policies or is a member of the owner. ` +
          `Take that from it, or drop the role and run: ${PREPARE}`,
      );
  } catch (error) {
    // No role of the owner.
    if ((error as { code?: string }).code !== '42704') throw error;
    throw new OperatorFault(`${setting}: ${(error as Error).message}. Run: ${PREPARE}`);
  } finally {
    await client.end().catch(() => {});
  }
}
