import { closeSync, type Dirent, lstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { OVERLAP } from '@fixpoint/domain/no-logs/matcher.ts';
import type { SearchSink } from './search-sink.ts';

const CHUNK = 4 * 1024 * 1024;
/**
 * One shared buffer: a machine has tens of thousands of files, most of them small. Each chunk is
 * searched before the next is read.
 */
const chunk = Buffer.allocUnsafe(CHUNK + OVERLAP);
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
export function searchDisks(sink: SearchSink, proc = '/proc'): void {
  const mounts = readFileSync(`${proc}/self/mounts`, 'utf8').split('\n').filter(Boolean);
  const folders = mounts.flatMap(line => {
    const [, path = '', kind = ''] = line.split(' ');
    return WINDOWS.has(kind) ? [] : [path.replaceAll('\\040', ' ')];
  });
  searchFolders([...new Set(folders)], sink);
  const swaps = readFileSync(`${proc}/swaps`, 'utf8').split('\n').slice(1).filter(Boolean);
  for (const line of swaps) searchFile(line.split(/\s+/)[0]!, sink);
}

const isGone = (error: unknown) => ['ENOENT', 'ESRCH', 'ENOTDIR'].includes((error as { code: string }).code);

/** Searches all files below some folders, each on its own file system. */
export function searchFolders(folders: readonly string[], sink: SearchSink): void {
  const seen = new Set<string>();
  for (const folder of folders) {
    try {
      walk(folder, lstatSync(folder).dev, seen, sink);
    } catch (error) {
      if (!isGone(error)) sink.unread(folder);
    }
  }
}

function walk(folder: string, device: number, seen: Set<string>, sink: SearchSink): void {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (!isGone(error)) sink.unread(folder);
    return;
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    // A name can reveal as much as the content.
    sink.at('disk', path, Buffer.from(entry.name));
    if (entry.isDirectory()) {
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats?.dev === device) walk(path, device, seen, sink);
    } else if (entry.isFile()) {
      const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
      // A mount point can be an endless device, as /dev/zero is in a container.
      if (!stats?.isFile()) continue;
      const id = `${stats.dev}:${stats.ino}`;
      if (seen.has(id)) continue;
      seen.add(id);
      searchFile(path, sink);
    }
  }
}

/** Searches a file, a partition, or a deleted file that a process holds open. */
export function searchFile(path: string, sink: SearchSink, where = path): void {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (!isGone(error)) sink.unread(where);
    return;
  }
  try {
    let kept = 0;
    let bytes = 0;
    for (let first = true; ; first = false) {
      const read = readSync(file, chunk, kept, CHUNK, null);
      if (read === 0) break;
      bytes += read;
      const whole = chunk.subarray(0, kept + read);
      sink.at('disk', where, whole);
      if (first) searchUnpacked(path, whole, sink);
      kept = Math.min(OVERLAP, whole.length);
      chunk.copyWithin(0, whole.length - kept, whole.length);
    }
    sink.counted('file', bytes);
  } catch {
    sink.unread(where);
  } finally {
    closeSync(file);
  }
}

/** Searches compressed files, such as rotated logs. */
function searchUnpacked(path: string, head: Buffer, sink: SearchSink): void {
  const unpack = UNPACK.find(([magic]) => head.subarray(0, magic.length / 2).toString('hex') === magic);
  if (!unpack) return;
  try {
    sink.at('disk', path, unpack[1](readFileSync(path)));
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'ERR_BUFFER_TOO_LARGE' || code === 'ERR_FS_FILE_TOO_LARGE')
      sink.unread(`${path} (unpacked)`);
    // Not a compressed file; only its first bytes match.
  }
}
