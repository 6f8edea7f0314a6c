import { basename, dirname, join } from 'node:path';
import type { Machine } from '../setup/machine.ts';
import { SETTINGS } from '../setup/settings-file.ts';

/** Who may sign the versions after the installed one. */
const SIGNERS = '/usr/share/fixpoint/release-signers';
/** Name under which a release is signed, so that no other signature of the same key can pass for one (ssh-keygen -n). */
export const NAMESPACE = 'fixpoint-release';
const PROGRAM = 'usr/lib/fixpoint';

/** The operator has to do something before it goes on. The message says what. */
export class Refused extends Error {
  override name = 'Refused';
}

/** Runs a program. @throws Refused with its output */
export async function must(
  { run }: Machine,
  what: string,
  program: string,
  ...args: string[]
): Promise<string> {
  const { code, out } = await run(program, args);
  if (code !== 0) throw new Refused(`${what}: ${out.trim()}`);
  return out.trim();
}

/** Where a release is downloaded to. It is trusted as little as any other file until its signature was checked. */
const DOWNLOADED = '/var/cache/fixpoint-releases/download';

/** Downloads a package with the checksums and the signature beside it. @returns its file. @throws Refused */
export async function download(machine: Machine, url: string): Promise<string> {
  await must(machine, DOWNLOADED, 'rm', '-rf', DOWNLOADED);
  await must(machine, DOWNLOADED, 'install', '--directory', '--mode=0700', DOWNLOADED);
  const name = basename(new URL(url).pathname);
  for (const each of [name, 'SHA256SUMS', 'SHA256SUMS.sig']) await downloadBeside(machine, url, each);
  return join(DOWNLOADED, name);
}

/** Downloads another file of the release that {@link download} has begun. @throws Refused */
export async function downloadBeside(machine: Machine, url: string, name: string): Promise<void> {
  const from = new URL(name, url).href;
  const fetch = ['-qq', 'download-file', from, join(DOWNLOADED, name)];
  await must(machine, `${from} cannot be downloaded`, '/usr/lib/apt/apt-helper', ...fetch);
}

/**
 * Checks that the signer of the installed version has signed this file.
 * @returns names of all files of its release with their checksums
 * @throws Refused
 */
export async function checkSignature(machine: Machine, file: string): Promise<Map<string, string>> {
  const list = join(dirname(file), 'SHA256SUMS');
  const sums = await machine.read(list);
  if (sums === undefined)
    throw new Refused(
      `${list} is missing. Copy the whole folder of the release: it has checksums and signature.`,
    );
  const verify = ['-Y', 'verify', '-f', SIGNERS, '-I', 'release', '-n', NAMESPACE, '-s', `${list}.sig`];
  if ((await machine.run('ssh-keygen', verify, sums)).code !== 0)
    throw new Refused(
      `${list} is not signed by who has signed the installed version. Do not install it unless you know why; apt-get does not ask.`,
    );
  const listed = new Map(
    sums.split('\n').flatMap(line => {
      const [, sum, name] = /^(\w+) {2}([\w.+~-]+)$/.exec(line) ?? [];
      return sum && name ? [[name, sum] as const] : [];
    }),
  );
  await checkSum(machine, file, listed);
  return listed;
}

/** @throws Refused for a file that is not the one in the list of its release */
export async function checkSum(
  machine: Machine,
  file: string,
  listed: ReadonlyMap<string, string>,
): Promise<void> {
  const sum = (await must(machine, `${file} cannot be read`, 'sha256sum', file)).split(' ')[0]!;
  if (listed.get(basename(file)) !== sum)
    throw new Refused(`${file} is not the file that SHA256SUMS beside it names. Copy it again.`);
}

/** Version of a package file. @throws Refused for another package */
export async function versionOf(machine: Machine, file: string): Promise<string> {
  const [name, version = ''] = (
    await must(machine, `${file} is no package`, 'dpkg-deb', '--show', file)
  ).split('\t');
  if (name !== 'fixpoint') throw new Refused(`${file} is the package of ${name}, not of fixpoint.`);
  return version;
}

/** Version that is installed. */
export const installedVersion = async (machine: Machine): Promise<string> =>
  (await must(machine, 'fixpoint is not installed', 'dpkg-query', '--show', 'fixpoint')).split('\t')[1]!;

/** Whether that version is installed completely: an upgrade may have been interrupted. */
export const isComplete = async ({ run }: Machine): Promise<boolean> =>
  /^Status: \w+ ok installed$/m.test((await run('dpkg-query', ['--status', 'fixpoint'])).out);

/** Whether the installed files are those of a package. @throws Refused */
export async function isInstalled(machine: Machine, file: string): Promise<boolean> {
  const path = ['--control-path', 'fixpoint', 'md5sums'];
  const sums = await must(machine, 'dpkg has no checksums of fixpoint', 'dpkg-query', ...path);
  return unpacked(machine, file, async folder => {
    const check = [`--chdir=${folder}`, 'md5sum', '--check', '--status', sums];
    return (await machine.run('env', check)).code === 0;
  });
}

/** How two versions compare. */
export const compares = async (
  { run }: Machine,
  one: string,
  how: 'lt' | 'gt',
  other: string,
): Promise<boolean> => (await run('dpkg', ['--compare-versions', one, how, other])).code === 0;

/** A version that is not installed: runs its commands on the shop's database. */
type Version = Record<'asShop' | 'asRoot', (...command: string[]) => ReturnType<Machine['run']>>;

/**
 * Unpacks a version for as long as `work` takes. Its signature must be checked before it runs.
 * @param file its package
 */
export const withVersion = <T>(
  machine: Machine,
  file: string,
  work: (version: Version) => Promise<T>,
): Promise<T> =>
  unpacked(machine, file, folder => {
    const at = (path: string) => join(folder, PROGRAM, path);
    const program = [at('node'), `--env-file=${SETTINGS}`, at('bundle/cli.mjs')];
    const asShop = ['--reuid=fixpoint', '--regid=fixpoint', '--init-groups', '--'];
    return work({
      asShop: (...command) => machine.run('setpriv', [...asShop, ...program, ...command]),
      asRoot: (...command) => machine.run('env', [...program, ...command]),
    });
  });

/** Unpacks a package into a folder for as long as `work` takes. */
async function unpacked<T>(machine: Machine, file: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await must(machine, 'No room', 'mktemp', '--directory', '/var/tmp/fixpoint-XXXXXX');
  try {
    await must(machine, `${file} cannot be unpacked`, 'dpkg-deb', '--extract', file, folder);
    await must(machine, folder, 'chmod', '755', folder);
    return await work(folder);
  } finally {
    await machine.run('rm', ['-rf', folder]);
  }
}
