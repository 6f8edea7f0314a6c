import { join } from 'node:path';
import { root, type Settings, SettingsError } from '@fixpoint/dev-stack/env.ts';
import { sandboxOf } from '@fixpoint/dev-stack/environment.ts';
import { shortened, urlOf } from '@fixpoint/postgres/address.ts';
import { type DatabaseUrls, databaseSettings, urlsFor } from '@fixpoint/postgres/roles.ts';

/** URL of the running embedded database, without a user. */
export async function embeddedUrl(dataDir: string): Promise<string> {
  const { folder } = await shortened(join(dataDir, 'postgres', 'run'), '.s.PGSQL.5432');
  return urlOf(folder);
}

/** URLs of the database that `npm start` uses: the operator's own or the embedded one. */
export const databaseOf = async ({ databaseUrls, dataDir }: Settings): Promise<DatabaseUrls> =>
  databaseUrls ?? urlsFor(await embeddedUrl(dataDir));

/**
 * Environment of another node on the database of a running shop.
 *
 * @throws SettingsError when the sandbox of this data folder has never run
 */
export async function nodeEnv(
  settings: Settings,
  node: { role: 'api' | 'worker' | 'all'; port: number },
): Promise<Record<string, string>> {
  const { dataDir, realProviders, publicUrl, host, env } = settings;
  const sandbox = realProviders ? {} : await sandboxOf(dataDir);
  if (!sandbox) throw new SettingsError(`No shop has run with ${dataDir} yet. Start one first:\n  npm start`);
  return {
    WEB_DIR: join(root, 'apps/web/dist'),
    ...sandbox,
    NODE_ENV: 'production',
    ...env,
    ...databaseSettings(await databaseOf(settings)),
    ROLE: node.role,
    PORT: String(node.port),
    HOST: host,
    PUBLIC_URL: publicUrl,
    DATA_DIR: dataDir,
    // VPN hosts and monitoring connect to the first node of a machine.
    AGENT_PORT: '0',
    METRICS_PORT: '0',
  };
}
