import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { OperatorFault } from '../../kernel/operator-fault.ts';

/** What the operator says where the database is a machine's of its own: then its tables alone are searched. */
export const REMOTE = 'remote';

const SAY_WHERE = `say --database FOLDER with its data directory, or --database ${REMOTE} where that is on another machine: then the report says that only its tables were searched`;

/**
 * Where the server of a database keeps its files: its data directory, and what it writes elsewhere, as its log. The
 * server's own process tells, and what is found must be of this very server, for a second one may run beside it.
 * @param client connected to it
 * @param named the folder, where the operator says it; or that it is remote
 * @throws OperatorFault when that is nowhere to be found here, or not to be read: nothing would be searched
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
        : `The files of the shop's database are nowhere on this machine: ${SAY_WHERE}.`,
    );
  return [folder, ...openElsewhere(folder)];
}

/** By which a server and its files know each other: it begins a file of its own. */
function systemOf(folder: string): string | undefined {
  const file = reading(join(folder, 'global', 'pg_control'), path => readFileSync(path));
  return file?.readBigUInt64LE().toString();
}

/** Files outside of its data directory that a server has open: its log, and what shares its memory. */
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

/** All programs of a server work in its data directory. Whose are hidden from us are not of a server whose files we may read. */
const processesIn = (folder: string): string[] =>
  (existsSync('/proc') ? readdirSync('/proc') : []).filter(name => {
    try {
      return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`) === folder;
    } catch {
      return false;
    }
  });

/** @returns undefined for what is not there @throws OperatorFault for what this user may not read */
function reading<T>(path: string, read: (path: string) => T): T | undefined {
  try {
    return read(path);
  } catch (error) {
    return unlessGone(path, error);
  }
}

/**
 * A server at work removes files of its own: what is no longer there is none to search.
 * @throws OperatorFault for what this user may not read
 */
export function unlessGone(path: string, error: unknown): undefined {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (['ENOENT', 'ESRCH', 'ENOTDIR'].includes(code)) return undefined;
  if (!['EACCES', 'EPERM'].includes(code)) throw error;
  throw new OperatorFault(
    `${path} is not this user's to read, so it was not searched: run the command as root.`,
  );
}
