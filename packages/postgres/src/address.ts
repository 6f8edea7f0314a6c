import { createHash } from 'node:crypto';
import { access, lstat, mkdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const longestSocketPath = 103; // bytes; 107 on Linux, 103 on macOS

/** The one role of the embedded server, and the name of the database that the product uses. */
export const role = 'fixpoint';

/** A connection string for `pg`, and what must be removed when it is no longer used. */
export interface Address {
  url: string;
  release(): Promise<void>;
}

/**
 * Address of the server whose socket lies in `folder`. A folder too deep for a socket address is reached
 * through a short link: the kernel limits the length of the address, not where the link leads.
 */
export async function addressOf(folder: string): Promise<Address> {
  if (Buffer.byteLength(join(folder, '.s.PGSQL.5432')) <= longestSocketPath) {
    return { url: urlOf(folder), release: async () => {} };
  }
  const name = `fixpoint-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`;
  const place = join(await shortFolder(), name);
  const link = join(place, 'run');
  await mkdir(place, { recursive: true, mode: 0o700 });
  if ((await lstat(place)).uid !== process.getuid?.()) throw new Error(`${place} belongs to somebody else.`);
  await rm(link, { force: true });
  await symlink(folder, link);
  return { url: urlOf(link), release: () => rm(place, { recursive: true, force: true }) };
}

/** Prefers a folder that no cleaner of old files visits: the link must live as long as the server. */
async function shortFolder(): Promise<string> {
  const uid = process.getuid?.();
  const folder = uid === 0 ? '/run' : `/run/user/${uid}`;
  return access(folder, 2 /* W_OK */).then(
    () => folder,
    () => tmpdir(),
  );
}

function urlOf(folder: string): string {
  return `postgresql:///${role}?host=${encodeURIComponent(folder)}&user=${role}`;
}

/** The same server's other database. */
export function withDatabase(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}
