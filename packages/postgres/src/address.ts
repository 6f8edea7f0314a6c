import { createHash } from 'node:crypto';
import { access, lstat, mkdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const longestSocketPath = 103; // bytes; 107 on Linux, 103 on macOS

/** The name of the database that the product uses. */
export const database = 'fixpoint';

/** The superuser of the embedded server: its supervisor's, and nobody else's. */
export const superuser = 'fixpoint';

/** A way into a folder that is short enough for a socket's address, and what removes the way. */
export interface Way {
  folder: string;
  release(): Promise<void>;
}

/**
 * The folder itself, or a short link to it when the address of its socket `file` would be too long: the kernel
 * limits the length of an address, not where a link leads.
 */
export async function shortened(folder: string, file: string): Promise<Way> {
  if (Buffer.byteLength(join(folder, file)) <= longestSocketPath) return { folder, release: async () => {} };
  const name = createHash('sha256').update(join(folder, file)).digest('hex').slice(0, 16);
  const place = join(await shortFolder(), `fixpoint-${name}`);
  const link = join(place, 'link');
  await mkdir(place, { recursive: true, mode: 0o700 });
  if ((await lstat(place)).uid !== process.getuid?.()) throw new Error(`${place} belongs to somebody else.`);
  await rm(link, { force: true });
  await symlink(folder, link);
  return { folder: link, release: () => rm(place, { recursive: true, force: true }) };
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

/** The product's database on the server whose socket lies in `folder`, for `pg`; who logs in is not said yet. */
export function urlOf(folder: string): string {
  return `postgresql:///${database}?host=${encodeURIComponent(folder)}`;
}

/** The same server's other database. */
export function withDatabase(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}
