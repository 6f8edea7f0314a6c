import { execFile } from 'node:child_process';
import { chmod, copyFile, cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { StartError } from '@fixpoint/dev-stack/child.ts';
import { basicEnv } from '@fixpoint/dev-stack/env.ts';

/** Processor architecture: Node's name → Debian's. */
const architectures: Record<string, string> = { x64: 'amd64', arm64: 'arm64' };

/**
 * A processor by its names for Node (`cpu`) and for Debian.
 * @param arch either of them
 * @throws StartError for an architecture without packages
 */
export function processorOf(arch: string): { cpu: string; architecture: string } {
  const known = Object.entries(architectures).find(names => names.includes(arch));
  if (!known) throw new StartError('Choose the architecture amd64 or arm64: --arch arm64');
  return { cpu: known[0], architecture: known[1] };
}

/** The files of a Debian package that is built. Paths are those of the installed machine. */
export type DebianTree = {
  /** Copies a file. */
  put(file: string, at: string, mode?: number): Promise<void>;
  /** Copies a folder; files that are programs stay so. @param wanted what of it, by its path in the folder */
  putFolder(folder: string, at: string, wanted?: (path: string) => boolean): Promise<void>;
  write(text: string, at: string, mode?: number): Promise<void>;
  /** Path of a file or folder while the package is built. */
  path(at: string): string;
};

/** What `dpkg` reads of a package, besides its size. */
type Fields = Record<'Package' | 'Version' | 'Architecture' | 'Description', string> & Record<string, string>;

/**
 * Builds a Debian package. The same files give the same bytes.
 * @param folder for the package
 * @param epoch time of files that are newer, in seconds since 1970
 * @param fill puts the files there
 * @returns path of the package
 * @throws Error with the output of dpkg-deb
 */
export async function buildDebianPackage(
  folder: string,
  fields: Fields,
  epoch: number,
  fill: (tree: DebianTree) => Promise<void>,
): Promise<string> {
  // Bundles get the rights that it leaves.
  process.umask(0o022);
  await mkdir(folder, { recursive: true });
  const root = await mkdtemp(join(folder, 'tree-'));
  try {
    await fill(treeAt(root));
    const bytes = await settle(root);
    await mkdir(join(root, 'DEBIAN'), { recursive: true });
    const { Description, ...others } = fields;
    const all = { ...others, 'Installed-Size': String(Math.ceil(bytes / 1024)), Description };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\n`);
    await writeFile(join(root, 'DEBIAN/control'), lines.join(''), { mode: 0o644 });
    await chmod(join(root, 'DEBIAN'), 0o755);
    const file = join(folder, `${fields.Package}_${fields.Version}_${fields.Architecture}.deb`);
    // zstd compresses Node in two seconds, xz in a minute. More threads would give other bytes.
    const options = ['--root-owner-group', '-Zzstd', '--threads-max=1'];
    await promisify(execFile)('dpkg-deb', [...options, '--build', root, file], {
      env: { ...basicEnv(), SOURCE_DATE_EPOCH: String(epoch) },
    });
    return file;
  } finally {
    await rm(root, { recursive: true });
  }
}

const treeAt = (root: string): DebianTree => {
  const placed = async (at: string) => {
    await mkdir(join(root, dirname(at)), { recursive: true });
    return join(root, at);
  };
  return {
    async put(file, at, mode = 0o644) {
      const to = await placed(at);
      await copyFile(file, to);
      await chmod(to, mode);
    },
    async putFolder(folder, at, wanted = () => true) {
      const filter = (path: string) => path === folder || wanted(path.slice(folder.length + 1));
      await cp(folder, await placed(at), { recursive: true, dereference: true, filter });
      for (const path of await below(join(root, at)))
        if ((await stat(path)).isFile()) await chmod(path, (await stat(path)).mode & 0o111 ? 0o755 : 0o644);
    },
    async write(text, at, mode = 0o644) {
      const to = await placed(at);
      await writeFile(to, text);
      await chmod(to, mode);
    },
    path: at => join(root, at),
  };
};

const below = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true })).map(path => join(folder, path));

/** Gives folders the same rights under every umask. @returns the bytes of all files */
async function settle(root: string): Promise<number> {
  let bytes = 0;
  await chmod(root, 0o755);
  for (const path of await below(root)) {
    const found = await stat(path);
    if (found.isDirectory()) await chmod(path, 0o755);
    else bytes += found.size;
  }
  return bytes;
}
