import type { Settings } from './env.ts';

/**
 * Warnings of a start that works but should not stay so.
 * @param uid of this process; undefined where there are none
 */
export function startWarnings(
  settings: Pick<Settings, 'realProviders' | 'databaseUrls'>,
  uid: number | undefined,
): string[] {
  const asRoot = uid === 0 && settings.realProviders && !settings.databaseUrls;
  return asRoot
    ? [
        'Warning: the shop takes real money, runs as root and keeps its database in DATA_DIR. ' +
          'Run it as a user of its own, or set DATABASE_URL: docs/operate/going-live.md',
      ]
    : [];
}
