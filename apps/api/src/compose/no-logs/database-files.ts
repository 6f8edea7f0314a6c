import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { OperatorFault } from '../../kernel/operator-fault.ts';

/** Value of `--database` for a database on another machine: then only its tables are searched. */
const REMOTE = 'remote';

const SAY_WHERE = `set --database to its data directory, or to ${REMOTE} if it is on another machine (the report then says that only its tables were searched)`;

/**
 * Files of the database server: its data directory, and files elsewhere such as its log. They are
 * found through the server's own process, and verified, because a second server may run beside it.
 * @param client connected to it
 * @param named the data directory, or `REMOTE`, if the operator names it
 * @throws OperatorFault if it is not found or not readable, because nothing would be searched
 */
export async function databaseFiles(client: pg.Client, named: string | undefined): Promise<string[]> {
  if (named === REMOTE) return [];
  const { rows } = await client.query<{ pid: number; system: string }>(
    'select pg_backend_pid() as pid, system_identifier::text as system from pg_control_system()',
  );
  const { pid, system } = rows[0]!;
  const folder = named ?? reading(`/proc/${pid}/cwd`, path => readlinkSync(path));
  if (!folder || systemOf(folder) !== system)
    throw new OperatorFault(
      named
        ? `${named} is not the data directory of the shop's database.`
        : `The files of the shop's database were not found on this machine: ${SAY_WHERE}.`,
    );
  return [folder, ...openElsewhere(folder)];
}

/** Identifier shared by a server and its files, at the beginning of `pg_control`. */
function systemOf(folder: string): string | undefined {
  const file = reading(join(folder, 'global', 'pg_control'), path => readFileSync(path));
  return file?.readBigUInt64LE().toString();
}

/** Files outside its data directory that a server has open: its log and shared memory. */
function openElsewhere(folder: string): string[] {
  const open = processesIn(folder).flatMap(pid =>
    (reading(`/proc/${pid}/fd`, path => readdirSync(path)) ?? []).map(
      name => reading(`/proc/${pid}/fd/${name}`, path => readlinkSync(path)) ?? '',
    ),
  );
  const isKept = (path: string) =>
    path.startsWith('/') && !path.startsWith(`${folder}/`) && reading(path, one => statSync(one))?.isFile();
  return [...new Set(open)].filter(isKept);
}

/**
 * All processes of a server work in its data directory. Hidden ones belong to servers whose files
 * we may not read anyway.
 */
const processesIn = (folder: string): string[] =>
  (existsSync('/proc') ? readdirSync('/proc') : []).filter(name => {
    try {
      return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`) === folder;
    } catch {
      return false;
    }
  });

/**
 * @returns undefined if the path does not exist @throws OperatorFault if this user may not read it
 */
function reading<T>(path: string, read: (path: string) => T): T | undefined {
  try {
    return read(path);
  } catch (error) {
    return unlessGone(path, error);
  }
}

/**
 * A running server removes files of its own, so a missing one needs no search.
 * @throws OperatorFault if this user may not read it
 */
export function unlessGone(path: string, error: unknown): undefined {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (['ENOENT', 'ESRCH', 'ENOTDIR'].includes(code)) return undefined;
  if (!['EACCES', 'EPERM'].includes(code)) throw error;
  throw new OperatorFault(
    `${path} was not searched, because this user may not read it. Run the command as root.`,
  );
}
