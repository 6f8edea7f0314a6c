import { closeSync, type Dirent, lstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { OVERLAP } from '@fixpoint/domain/no-logs/matcher.ts';
import type { Look } from './look.ts';

const PIECE = 4 * 1024 * 1024;
/**
 * One shared buffer: a machine has tens of thousands of files, most of them small. Each chunk is
 * searched before the next is read.
 */
const piece = Buffer.allocUnsafe(PIECE + OVERLAP);
/** Bytes after decompression. Larger files are searched compressed and reported as unread. */
const UNPACKED = 256 * 1024 * 1024;

/** Virtual file systems of the kernel, which store no data. tmpfs is searched like a disk. */
const WINDOWS = new Set(
  `autofs binfmt_misc bpf cgroup cgroup2 configfs debugfs devpts devtmpfs efivarfs fusectl hugetlbfs mqueue nsfs
   proc pstore rpc_pipefs securityfs selinuxfs sysfs tracefs`.split(/\s+/),
);

const UNPACK: [magic: string, unpack: (bytes: Buffer) => Buffer][] = [
  // Tolerates a file that is still being written.
  ['1f8b', bytes => gunzipSync(bytes, { maxOutputLength: UNPACKED, finishFlush: constants.Z_SYNC_FLUSH })],
  ['28b52ffd', bytes => zstdDecompressSync(bytes, { maxOutputLength: UNPACKED })],
];

/** Searches all mounted file systems that store data, and swap partitions. */
export function searchDisks(look: Look, proc = '/proc'): void {
  const mounts = readFileSync(`${proc}/self/mounts`, 'utf8').split('\n').filter(Boolean);
  const folders = mounts.flatMap(line => {
    const [, path = '', kind = ''] = line.split(' ');
    return WINDOWS.has(kind) ? [] : [path.replaceAll('\\040', ' ')];
  });
  searchFolders([...new Set(folders)], look);
  const swaps = readFileSync(`${proc}/swaps`, 'utf8').split('\n').slice(1).filter(Boolean);
  for (const line of swaps) searchFile(line.split(/\s+/)[0]!, look);
}

const isGone = (error: unknown) => ['ENOENT', 'ESRCH', 'ENOTDIR'].includes((error as { code: string }).code);

/** Searches all files below some folders, each on its own file system. */
export function searchFolders(folders: readonly string[], look: Look): void {
  const seen = new Set<string>();
  for (const folder of folders) {
    try {
      walk(folder, lstatSync(folder).dev, seen, look);
    } catch (error) {
      if (!isGone(error)) look.unread(folder);
    }
  }
}

function walk(folder: string, device: number, seen: Set<string>, look: Look): void {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (!isGone(error)) look.unread(folder);
    return;
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    // A name can reveal as much as the content.
    look.at('disk', path, Buffer.from(entry.name));
    if (entry.isDirectory()) {
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats?.dev === device) walk(path, device, seen, look);
    } else if (entry.isFile()) {
      const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
      // A mount point can be an endless device, as /dev/zero is in a container.
      if (!stats?.isFile()) continue;
      const id = `${stats.dev}:${stats.ino}`;
      if (seen.has(id)) continue;
      seen.add(id);
      searchFile(path, look);
    }
  }
}

/** Searches a file, a partition, or a deleted file that a process holds open. */
export function searchFile(path: string, look: Look, where = path): void {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (!isGone(error)) look.unread(where);
    return;
  }
  try {
    let kept = 0;
    let bytes = 0;
    for (let first = true; ; first = false) {
      const read = readSync(file, piece, kept, PIECE, null);
      if (read === 0) break;
      bytes += read;
      const whole = piece.subarray(0, kept + read);
      look.at('disk', where, whole);
      if (first) searchUnpacked(path, whole, look);
      kept = Math.min(OVERLAP, whole.length);
      piece.copyWithin(0, whole.length - kept, whole.length);
    }
    look.counted('file', bytes);
  } catch {
    look.unread(where);
  } finally {
    closeSync(file);
  }
}

/** Searches compressed files, such as rotated logs. */
function searchUnpacked(path: string, beginning: Buffer, look: Look): void {
  const unpack = UNPACK.find(([magic]) => beginning.subarray(0, magic.length / 2).toString('hex') === magic);
  if (!unpack) return;
  try {
    look.at('disk', path, unpack[1](readFileSync(path)));
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'ERR_BUFFER_TOO_LARGE' || code === 'ERR_FS_FILE_TOO_LARGE')
      look.unread(`${path} (unpacked)`);
    // Not a compressed file; only its first bytes match.
  }
}
