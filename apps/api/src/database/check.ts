import { Client } from 'pg';
import { OperatorFault, PassingFault } from '../kernel/operator-fault.ts';

/** The oldest PostgreSQL that the shop is tested with: the version of Debian 12. */
const OLDEST = 15;
const PREPARE = 'npm run shop -- database prepare ADMIN_URL';

/** Why a server version cannot be used; undefined if it can. */
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
 * Connects to a database; the caller ends the connection.
 * @param setting name of the setting with `url`
 * @throws OperatorFault if the server exists but refuses the connection
 */
export async function connected(url: string, setting: string): Promise<Client> {
  let client: Client | undefined;
  try {
    client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
    // A broken connection fails its running statement. Without a listener it would also end the
    // process.
    client.on('error', () => {});
    await client.connect();
    return client;
  } catch (error) {
    await client?.end().catch(() => {});
    const { code = '', message } = error as { code?: string; message: string };
    const notFound = `${setting} names a database server that cannot be found: ${message}`;
    if (code === 'ERR_INVALID_URL') throw new OperatorFault(notFound);
    // Perhaps the network is not up yet.
    if (/^(ENOTFOUND|EAI_AGAIN)$/.test(code)) throw new PassingFault(notFound);
    // 28…: authentication failed. 3D000: no such database.
    if (!/^(28\w{3}|3D000)$/.test(code)) throw error;
    throw new OperatorFault(`${setting}: ${message}. To prepare the database, run:\n${PREPARE}`);
  }
}

/**
 * Verifies that a connection string logs in as its role, and that the role has no excessive rights.
 * @param setting name of the setting with `url`
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
      throw new OperatorFault(`${setting} logs in as ${name}, not as ${role}. Run:\n${PREPARE}`);
    if (mighty)
      throw new OperatorFault(
        `${role} has too many rights: it is a superuser, bypasses row-level security or is a member of the owner. ` +
          `Revoke that, or drop the role and run:\n${PREPARE}`,
      );
  } catch (error) {
    // The owner role does not exist.
    if ((error as { code?: string }).code !== '42704') throw error;
    throw new OperatorFault(`${setting}: ${(error as Error).message}. Run:\n${PREPARE}`);
  } finally {
    await client.end().catch(() => {});
  }
}
