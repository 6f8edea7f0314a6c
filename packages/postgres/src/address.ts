import { createHash } from 'node:crypto';
import { access, lstat, mkdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const longestSocketPath = 103; // bytes; 107 on Linux, 103 on macOS

/** Name of the product's database. */
export const database = 'fixpoint';

/** Superuser of the embedded server, used by its supervisor alone. */
export const superuser = 'fixpoint';

/** A path to a folder that is short enough for a socket address, and its clean-up. */
export interface Way {
  folder: string;
  release(): Promise<void>;
}

/**
 * The folder itself, or a short symbolic link to it if the path of its socket `file` would be too
 * long: the kernel limits the length of the address, not of the link's target.
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

/**
 * Prefers a folder that is not cleaned of old files, because the link must live as long as the
 * server.
 */
async function shortFolder(): Promise<string> {
  const uid = process.getuid?.();
  const folder = uid === 0 ? '/run' : `/run/user/${uid}`;
  return access(folder, 2 /* W_OK */).then(
    () => folder,
    () => tmpdir(),
  );
}

/**
 * Connection string of the product's database on the server whose socket lies in `folder`, without
 * a user.
 */
export function urlOf(folder: string): string {
  return `postgresql:///${database}?host=${encodeURIComponent(folder)}`;
}

/** Connection string of another database of the same server. */
export function withDatabase(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}
