import { chown, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { OperatorFault } from '../../kernel/operator-fault.ts';
import { lastLineOfSsh, startProgram } from './programs.ts';

/** Name of a backup, which sorts by time. */
export const BACKUP_FILE = /^fixpoint-\d{8}T\d{6}Z\.backup\.age$/;
/** Ending of a backup that is being written. */
export const PARTIAL = '.partial';
/** What the shop did since a backup, beside the backups. */
export const SINCE_FILE = 'fixpoint-since-backup.json';

/** Name of a backup of this moment. */
export const backupName = (at: Date): string =>
  `fixpoint-${at.toISOString().replace(/\.\d+/, '').replace(/[-:]/g, '')}.backup.age`;

const sinceSchema = z.object({
  /** When it was written. */
  at: z.iso.datetime(),
  /** IDs of customers who deleted their accounts, erased or about to be. */
  deletedAccounts: z.array(z.string()),
  /** Last number of each series of documents. */
  numbers: z.record(z.string(), z.int()),
});
/** What a restore of an older backup must repeat. Names nobody. */
export type SinceBackup = z.output<typeof sinceSchema>;

/** Joins two lists: nobody leaves it, and no series goes back. */
export function mergeSince(before: SinceBackup | undefined, now: SinceBackup): SinceBackup {
  const numbers = { ...before?.numbers };
  for (const [series, last] of Object.entries(now.numbers))
    numbers[series] = Math.max(last, numbers[series] ?? 0);
  const deletedAccounts = [...new Set([...(before?.deletedAccounts ?? []), ...now.deletedAccounts])].sort();
  return { at: now.at, deletedAccounts, numbers };
}

/** Reads the list beside backups; undefined if there is none. @throws OperatorFault if it is damaged */
export async function readSince(folder: string): Promise<SinceBackup | undefined> {
  const path = join(folder, SINCE_FILE);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new OperatorFault(`${path} cannot be read: ${error.message}`);
  });
  if (text === undefined) return undefined;
  try {
    return sinceSchema.parse(JSON.parse(text));
  } catch {
    throw new OperatorFault(`${path} is damaged. Take the copy beside another copy of the backups.`);
  }
}

/**
 * Adds to the list beside backups, whose folder is gone on a restored machine. It replaces the earlier one when it is on the disk.
 * @returns whether it says more than before
 */
export async function addSince(folder: string, now: SinceBackup): Promise<boolean> {
  const before = await readSince(folder);
  const all = mergeSince(before, now);
  const path = join(folder, SINCE_FILE);
  const draft = `${path}${PARTIAL}`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(all, undefined, 1)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await giveToOwner(folder, draft);
  await rename(draft, path);
  return JSON.stringify({ ...before, at: '' }) !== JSON.stringify({ ...all, at: '' });
}

/** Staff may run a command as root: a file stays the shop's, to whom the folder belongs. */
export async function giveToOwner(folder: string, path: string): Promise<void> {
  const { uid, gid } = await stat(folder);
  if (process.getuid?.() === 0) await chown(path, uid, gid);
}

/** Deletes all but the newest backups. @returns the names of the others */
export async function keepNewest(folder: string, count: number): Promise<string[]> {
  const names = (await readdir(folder)).filter(name => BACKUP_FILE.test(name)).sort();
  const old = names.slice(0, -count);
  for (const name of old) await rm(join(folder, name), { force: true });
  return old;
}

/** Copies the backups and the list to another machine by rsync. @throws OperatorFault */
export async function copyFolder(folder: string, target: string, signal?: AbortSignal): Promise<void> {
  const { ended } = startProgram(
    'rsync',
    [
      '--archive',
      '--timeout=120',
      '--rsh=ssh -o BatchMode=yes -o ConnectTimeout=15',
      '--include=fixpoint-*.backup.age',
      `--include=${SINCE_FILE}`,
      '--exclude=*',
      '--',
      `${folder}/`,
      target,
    ],
    { stdio: ['ignore', 'ignore'], ...(signal && { signal }) },
  );
  const result = await ended;
  signal?.throwIfAborted();
  if (result.code === 0) return;
  throw new OperatorFault(
    /ENOENT/.test(result.says)
      ? 'The backup was not copied: rsync is not installed. As root:\napt-get install rsync openssh-client'
      : `The backup was not copied to BACKUP_COPY_TO: ${lastLineOfSsh(result)}`,
  );
}
