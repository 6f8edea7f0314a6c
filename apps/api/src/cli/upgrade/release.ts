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
  for (const each of [name, 'SHA256SUMS', 'SHA256SUMS.sig']) {
    const from = new URL(each, url).href;
    const fetch = ['-qq', 'download-file', from, join(DOWNLOADED, each)];
    await must(machine, `${from} cannot be downloaded`, '/usr/lib/apt/apt-helper', ...fetch);
  }
  return join(DOWNLOADED, name);
}

/** Checks that the signer of the installed version has signed this file. @throws Refused */
export async function checkSignature(machine: Machine, file: string): Promise<void> {
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
  const sum = (await must(machine, `${file} cannot be read`, 'sha256sum', file)).split(' ')[0]!;
  const listed = sums.split('\n').some(line => line === `${sum}  ${basename(file)}`);
  if (!listed) throw new Refused(`${file} is not the file that ${list} names. Copy it again.`);
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

/**
 * Runs a command of a version that is not installed, on the shop's database, as the user of the shop.
 * @param file its package
 */
export async function runVersion(
  machine: Machine,
  file: string,
  ...command: string[]
): Promise<{ code: number; out: string }> {
  const folder = await must(machine, 'No room', 'mktemp', '--directory', '/var/tmp/fixpoint-XXXXXX');
  try {
    await must(machine, `${file} cannot be unpacked`, 'dpkg-deb', '--extract', file, folder);
    await must(machine, folder, 'chmod', '755', folder);
    const at = (path: string) => join(folder, PROGRAM, path);
    const asShop = ['--reuid=fixpoint', '--regid=fixpoint', '--init-groups', '--'];
    const program = [at('node'), `--env-file=${SETTINGS}`, at('bundle/cli.mjs')];
    return await machine.run('setpriv', [...asShop, ...program, ...command]);
  } finally {
    await machine.run('rm', ['-rf', folder]);
  }
}
