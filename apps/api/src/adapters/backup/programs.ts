import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OperatorFault } from '../../kernel/operator-fault.ts';

const run = promisify(execFile);

/** A program of PostgreSQL of one major version. */
export type Program = { path: string; major: number };

/** Where Debian and Red Hat install the programs of each version. */
const FOLDERS = [
  { folder: '/usr/lib/postgresql', name: /^(\d+)$/ },
  { folder: '/usr', name: /^pgsql-(\d+)$/ },
];

/** No setting of the shop reaches these programs, because the settings contain secrets. */
const programEnv = () => ({
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: homedir(),
  LC_ALL: 'C',
});

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** Finds a program of PostgreSQL in every installed version. */
export async function findPrograms(name: 'pg_dump' | 'pg_restore' | 'postgres'): Promise<Program[]> {
  const found: Program[] = [];
  for (const { folder, name: pattern } of FOLDERS) {
    for (const entry of await namesIn(folder)) {
      const major = Number(pattern.exec(entry)?.[1]);
      const programs = join(folder, entry, 'bin');
      if (major && (await namesIn(programs)).includes(name))
        found.push({ path: join(programs, name), major });
    }
  }
  if (found.length > 0) return found;
  const { stdout } = await run(name, ['--version'], { env: programEnv() }).catch(() => ({ stdout: '' }));
  const major = Number(/\) (\d+)/.exec(stdout)?.[1]);
  return major ? [{ path: name, major }] : [];
}

/**
 * The oldest program that is new enough: a newer pg_restore writes settings that an older server does not know.
 * @param what it has to be as new as, for the message
 * @throws OperatorFault that names the package to install
 */
export function closestProgram(
  name: string,
  found: readonly Program[],
  least: number,
  what: string,
): Program {
  const [closest] = found.filter(({ major }) => major >= least).sort((a, b) => a.major - b.major);
  if (closest) return closest;
  const newest = Math.max(0, ...found.map(({ major }) => major));
  const has = newest ? `${name} is of PostgreSQL ${newest}` : `${name} is not installed`;
  throw new OperatorFault(
    `${has}, but ${what} is PostgreSQL ${least}. Install Debian's package, as root:\napt-get install postgresql-client-${least}\n` +
      'The embedded database has no such package in Debian: it is for trying the shop out.',
  );
}

/** The oldest age with the present format of files. */
const AGE = 1;

/** @throws OperatorFault when age is missing or too old */
export async function requireAge(): Promise<void> {
  const { stdout } = await run('age', ['--version'], { env: programEnv() }).catch(error => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new OperatorFault('age, which encrypts backups, is not installed. As root:\napt-get install age');
  });
  if (isTooOld(stdout))
    throw new OperatorFault(`age ${stdout.trim()} is too old: version ${AGE}.0 or newer is needed.`);
}

/** A build without a number counts as new. */
export const isTooOld = (version: string): boolean =>
  Number(/^v?(\d+)\./.exec(version.trim())?.[1] ?? AGE) < AGE;

/** How a program ended, and the end of what it said. */
export type Ended = { code: number; says: string };

/** Most that is kept of a program's messages. */
const MOST_SAID = 2_000;

/**
 * Starts a program.
 * @param stdio as for `spawn`; messages are read from its standard error
 */
export function startProgram(
  path: string,
  args: readonly string[],
  options: {
    env?: Record<string, string>;
    stdio: ['ignore' | 'pipe', 'ignore' | 'pipe'];
    signal?: AbortSignal;
  },
): { child: ChildProcess; ended: Promise<Ended> } {
  const { env, stdio, signal } = options;
  const spawned: SpawnOptions = {
    env: { ...programEnv(), ...env },
    stdio: [...stdio, 'pipe'],
    ...(signal && { signal }),
  };
  const child = spawn(path, args, spawned);
  let says = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    says = (says + text).slice(-MOST_SAID);
  });
  // A program that ends early closes its input: its exit code tells why.
  child.stdin?.on('error', () => {});
  const ended = new Promise<Ended>(resolve => {
    child.once('error', error => resolve({ code: -1, says: error.message }));
    child.once('close', code => resolve({ code: code ?? -1, says: says.trim() }));
  });
  return { child, ended };
}

/** The last line that a program said, without age's request to report errors. */
export const lastLine = ({ says }: Ended): string =>
  says
    .split('\n')
    .findLast(line => !line.startsWith('age: report'))
    ?.slice(0, 300) ?? '';

/** The last line before what rsync makes of it: that of ssh, or of the other machine. */
export const lastLineOfSsh = (ended: Ended): string =>
  lastLine({
    ...ended,
    says:
      ended.says
        .split('\n')
        .filter(line => !/^rsync\b/.test(line))
        .join('\n') || ended.says,
  });

/** Arguments and environment with which PostgreSQL's programs connect: a password in an argument would be seen by everybody. */
export function connectionOf(url: string): { args: string[]; env: Record<string, string> } {
  const other = new URL(url);
  const password = decodeURIComponent(other.password) || other.searchParams.get('password') || '';
  other.password = '';
  other.searchParams.delete('password');
  return { args: ['--dbname', other.href], env: password ? { PGPASSWORD: password } : {} };
}
