import { spawn } from 'node:child_process';
import { access, chown, lchown, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { superuser } from './address.ts';

/** Files of a server, and the user that it must run as. */
export interface Cluster {
  /** The data folder: the working directory of every program of the server. */
  data: string;
  /** The socket's folder. */
  run: string;
  /** Set when running as root, which PostgreSQL refuses. */
  owner: { uid: number; gid: number } | undefined;
}

/** Folder and major version of the programs of PostgreSQL. */
type Programs = { folder: string; major: number };

/** The first version with a locale that does not depend on the machine's C library. */
const BUILTIN = 17;
const BUILTIN_LOCALE = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'];

type OrphanOf = (cluster: Cluster) => Promise<number | undefined>;

/** DATA_DIR belongs to another user, or is used by another process. The message says what to do. */
export class DataDirError extends Error {
  override name = 'DataDirError';
}

/** Advice for a folder that cannot be written. */
export const ROOM = 'Make room there, or set DATA_DIR to another folder.';

/** User IDs that the files of a server started by root may get. */
const OWN_USERS = { first: 60_600, last: 60_699 };

/** Environment of the server's programs. Nothing of ours may change their behaviour. */
export const programEnv = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/**
 * Path of the data folder that also works for a user who may not enter the folders above it: it
 * leads to the working directory, which is entered before root's rights are dropped.
 */
export function dataArgument(cluster: Cluster): string {
  return cluster.owner ? '/proc/self/cwd' : cluster.data;
}

/**
 * Opens `dataDir/postgres` and creates the cluster if there is none. Run by root, the files belong
 * to their previous owner, or to a user ID of their own.
 *
 * @param orphanOf the process of a server that an earlier start has left
 * @throws DataDirError if they belong to another user
 */
export async function openCluster(
  dataDir: string,
  programs: Programs,
  sync: boolean,
  orphanOf: OrphanOf,
): Promise<Cluster> {
  const folder = join(dataDir, 'postgres');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const owner = await ownerOf(dataDir, folder, orphanOf);
  const cluster = { data: join(folder, 'cluster'), run: join(folder, 'run'), owner };
  if (owner && (await stat(folder)).uid !== owner.uid) await giveAll(folder, owner);
  await ownedFolder(cluster.run, owner);
  if (!(await exists(cluster.data))) await initialise(cluster, folder, programs, sync);
  return cluster;
}

/** Advice for a data folder that belongs to another user. */
export const waysOut = (dataDir: string): string =>
  `Run as before (sudo npm start), take it over (sudo chown -R "$(id -un)" "${dataDir}"), or set DATA_DIR to another folder.`;

async function ownerOf(dataDir: string, folder: string, orphanOf: OrphanOf): Promise<Cluster['owner']> {
  const me = process.getuid?.();
  const { uid, gid } = await stat(folder);
  if (me !== 0) {
    if (uid === me) return undefined;
    throw new DataDirError(
      `${folder} belongs to ${await userName(uid)}: it was first used by root or by another user. ${waysOut(dataDir)}`,
    );
  }
  if (process.platform !== 'linux')
    throw new DataDirError('PostgreSQL refuses root: run as an ordinary user.');
  const { uid: shared } = await nobody();
  if (uid !== 0 && uid !== shared) return { uid, gid };
  // A server of an earlier version that a crash has left still runs as nobody. It is stopped in this start, and its files get
  // their own user in the next one.
  const files = { data: join(folder, 'cluster'), run: join(folder, 'run'), owner: undefined };
  if (uid === shared && (await orphanOf(files))) return { uid, gid };
  const own = await unusedUser();
  return { uid: own, gid: own };
}

/**
 * A user ID that no account has, so that no other process of this machine runs under it: whoever shares a user with the
 * server reaches its files through `/proc`, whatever the folders above allow. systemd and Debian assign none of these.
 */
async function unusedUser(): Promise<number> {
  for (let uid = OWN_USERS.first; uid <= OWN_USERS.last; uid += 1)
    if (!(await passwdEntry(fields => fields[2] === String(uid)))) return uid;
  throw new DataDirError(
    'PostgreSQL refuses root, and no user ID is free to run it. Run as an ordinary user.',
  );
}

/** The user that `initdb` runs as: it refuses root, and a user without an account. */
async function nobody(): Promise<{ uid: number; gid: number }> {
  const entry = await passwdEntry(fields => fields[0] === 'nobody');
  if (!entry) throw new DataDirError('PostgreSQL refuses root, and there is no user `nobody` to run it.');
  return { uid: Number(entry[2]), gid: Number(entry[3]) };
}

/** Gives a folder and all that is in it to a user. */
async function giveAll(folder: string, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  const entries = await readdir(folder, { recursive: true });
  for (const path of ['.', ...entries]) await lchown(join(folder, path), uid, gid);
}

async function userName(uid: number): Promise<string> {
  const entry = await passwdEntry(fields => fields[2] === String(uid));
  return entry?.[0] ? `user ${entry[0]}` : `user ${uid}`;
}

/** Fields of the first account that matches. */
export async function passwdEntry(matches: (fields: string[]) => boolean): Promise<string[] | undefined> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n');
  return lines.map(line => line.split(':')).find(matches);
}

async function ownedFolder(folder: string, owner: Cluster['owner']): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (owner) await chown(folder, owner.uid, owner.gid);
}

/** The user that makes a cluster: its owner, where that has an account. */
async function makerOf(owner: { uid: number; gid: number }): Promise<{ uid: number; gid: number }> {
  return (await passwdEntry(fields => fields[2] === String(owner.uid))) ? owner : nobody();
}

/** Creates the cluster under another name first, so that an incomplete one is never used. */
async function initialise(
  cluster: Cluster,
  folder: string,
  programs: Programs,
  sync: boolean,
): Promise<void> {
  const part = await mkdtemp(join(folder, 'cluster.part-'));
  try {
    const maker = cluster.owner && (await makerOf(cluster.owner));
    await ownedFolder(part, maker);
    await initdb({ ...cluster, data: part, owner: maker }, programs, sync);
    if (cluster.owner) await giveAll(part, cluster.owner);
    await rename(part, cluster.data).catch(async error => {
      if (!(await exists(cluster.data))) throw error;
    });
  } finally {
    await rm(part, { recursive: true, force: true });
  }
}

/**
 * Text is compared by code point (C.UTF-8), because an index must not change with the machine's C
 * library.
 */
async function initdb(cluster: Cluster, programs: Programs, sync: boolean): Promise<void> {
  const child = spawn(
    join(programs.folder, 'initdb'),
    [
      ...[
        '--pgdata',
        dataArgument(cluster),
        '--username',
        superuser,
        '--auth-local=trust',
        '--auth-host=reject',
      ],
      ...['--encoding=UTF8', '--locale=C', ...(programs.major < BUILTIN ? [] : BUILTIN_LOCALE)],
      ...['--data-checksums', '--no-instructions', ...(sync ? [] : ['--no-sync'])],
    ],
    { cwd: cluster.data, env: programEnv, ...cluster.owner, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (code === 0) return;
  const full = /No space left on device|Disk quota exceeded|Read-only file system/.exec(output)?.[0];
  if (!full) throw new Error(`initdb failed:\n${output.trim()}`);
  throw new DataDirError(`The database cannot be made in ${cluster.data}: ${full}. ${ROOM}`);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
