import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { passwdEntry } from './cluster.ts';
import { type Postgres, startPostgres } from './postgres.ts';

/**
 * Starts a PostgreSQL whose data is removed when it stops.
 *
 * @param programs of an installed PostgreSQL; without them the embedded one. Run by root, the installed one runs as Debian's
 *   user `postgres`, who must be able to enter its folder: versions up to 15 look for it by its path.
 */
export async function startTemporary(
  programs: { folder: string; major: number } | undefined,
): Promise<Pick<Postgres, 'urls' | 'adminUrl' | 'stop'>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fixpoint-temporary-'));
  const remove = () => rm(dataDir, { recursive: true, force: true });
  try {
    const entry =
      programs && process.getuid?.() === 0 && (await passwdEntry(([name]) => name === 'postgres'));
    if (entry) {
      await chmod(dataDir, 0o711);
      await mkdir(join(dataDir, 'postgres'), { mode: 0o700 });
      await chown(join(dataDir, 'postgres'), Number(entry[2]), Number(entry[3]));
    }
    const { urls, adminUrl, stop } = await startPostgres({ dataDir, durable: false, programs });
    return { urls, adminUrl, stop: () => stop().finally(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}
