import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { OperatorFault } from '../../kernel/operator-fault.ts';
import { BACKUP_FILE, giveToOwner, PARTIAL } from './folder.ts';
import type { BackupHeader } from './header.ts';
import { connectionOf, type Ended, lastLine, type Program, startProgram } from './programs.ts';

export type Dump = {
  header: BackupHeader;
  /** Of the owner of the tables. */
  url: string;
  /** Name of the exported snapshot. */
  snapshot: string;
  pgDump: Program;
  recipients: readonly string[];
  signal?: AbortSignal | undefined;
};

/**
 * Writes a backup to `folder/name`. It appears under its name when it is complete and on the disk. Nothing unencrypted is
 * written. Only one at a time may run on a folder.
 * @returns its size in bytes
 * @throws OperatorFault when the folder is full or cannot be written, or a program fails
 */
export async function writeBackup(folder: string, name: string, dump: Dump): Promise<number> {
  const path = join(folder, name);
  const partial = `${path}${PARTIAL}`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await removeRemains(folder);
    const file = await open(partial, 'wx', 0o600);
    let bytes: number;
    try {
      bytes = await encryptTo(file, dump);
      await file.sync();
    } finally {
      await file.close();
    }
    await giveToOwner(folder, partial);
    await rename(partial, path);
    await syncFolder(folder);
    return bytes;
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {});
    throw inWords(folder, error as NodeJS.ErrnoException);
  }
}

/** Backups that an interrupted run has left incomplete. */
async function removeRemains(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name.endsWith(PARTIAL) && BACKUP_FILE.test(name.slice(0, -PARTIAL.length)))
      await rm(join(folder, name), { force: true });
}

async function encryptTo(to: FileHandle, { header, url, snapshot, pgDump, recipients, signal }: Dump) {
  const { args, env } = connectionOf(url);
  const age = startProgram('age', ['--encrypt', ...recipients.flatMap(key => ['--recipient', key])], {
    stdio: ['pipe', 'pipe'],
    ...(signal && { signal }),
  });
  const dump = startProgram(
    pgDump.path,
    ['--format=custom', '--no-password', `--snapshot=${snapshot}`, ...args],
    { stdio: ['ignore', 'pipe'], env, ...(signal && { signal }) },
  );
  let bytes = 0;
  age.child.stdin!.write(`${JSON.stringify(header)}\n`);
  const flows = await Promise.allSettled([
    pipeline(dump.child.stdout!, age.child.stdin!),
    pipeline(age.child.stdout!, async (encrypted: AsyncIterable<Buffer>) => {
      for await (const chunk of encrypted) {
        await to.writeFile(chunk);
        bytes += chunk.length;
      }
    }).catch(error => {
      // Nobody reads any more: both programs end.
      age.child.kill();
      dump.child.kill();
      throw error;
    }),
  ]);
  const [ofDump, ofAge] = await Promise.all([dump.ended, age.ended]);
  signal?.throwIfAborted();
  // A full disk stops all three; its own error says why.
  const [, toDisk] = flows;
  const isOfDisk = toDisk?.status === 'rejected' && DISK[(toDisk.reason as NodeJS.ErrnoException).code ?? ''];
  if (isOfDisk) throw toDisk.reason;
  requireGood('age', ofAge);
  requireGood('pg_dump', ofDump);
  for (const flow of flows) if (flow.status === 'rejected') throw flow.reason;
  return bytes;
}

function requireGood(name: string, ended: Ended): void {
  if (ended.code !== 0) throw new OperatorFault(`${name} failed, and no backup was made: ${lastLine(ended)}`);
}

/** Makes a new name survive a power cut. */
async function syncFolder(folder: string): Promise<void> {
  const opened = await open(folder);
  await opened.sync().finally(() => opened.close());
}

const DISK: Record<string, string> = {
  ENOSPC: 'is full. Make room there, keep fewer backups (BACKUP_KEEP), or choose another folder',
  EDQUOT: 'has no room left for this user. Make room there, or choose another folder',
  EACCES: 'cannot be written by this user. Give it to the user of the shop, or choose another folder',
  EPERM: 'cannot be written by this user. Give it to the user of the shop, or choose another folder',
  EROFS: 'is read-only. Choose another folder (a unit of systemd must name it in ReadWritePaths)',
  ENOTDIR: 'is not a folder. Choose another one',
  EEXIST: 'is not a folder. Choose another one',
  EIO: 'has a disk that fails. Choose another folder',
};

function inWords(folder: string, error: NodeJS.ErrnoException): Error {
  const says = DISK[error.code ?? ''];
  return says ? new OperatorFault(`${folder} ${says}. No backup was made.`) : error;
}
