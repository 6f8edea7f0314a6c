import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Installed } from '@fixpoint/contract/staff/json-answer.ts';
import { type Machine, quiet, sayJson } from '../setup/machine.ts';
import { SHOP } from '../setup/proxy.ts';
import { SETTINGS, settingsIn } from '../setup/settings-file.ts';
import { agentsOf, serveAgents } from './agent-packages.ts';
import {
  checkSignature,
  compares,
  download,
  installedVersion,
  isComplete,
  isInstalled,
  must,
  Refused,
  versionOf,
  withVersion,
} from './release.ts';

/** Packages that were installed, to go back to. */
const KEPT = '/var/cache/fixpoint-releases';
/** Folder of backups where the settings name none. */
const BACKUPS = '/var/lib/fixpoint/backups';
/** Wrong command line; the database has another version (sysexits). */
const EX_USAGE = 64;
const EX_UNAVAILABLE = 69;

const USAGE = `Usage: fixpoint upgrade FILE.deb|URL [--backed-up] [--json]
       fixpoint rollback [FILE.deb] [--check] [--json]
upgrade checks the signature, makes a backup, expands the database while the shop still sells, installs the package, checks
the shop, and copies the agent's packages beside it to where hosts get them. Callers wait while the shop restarts.
--backed-up makes no backup: you have one of now.
rollback installs the version before, if the database allows it. --check only says whether it does. It checks the signature of
a FILE that fixpoint upgrade has not kept.
A URL (https) names the package in a folder with SHA256SUMS and SHA256SUMS.sig beside it.
--json prints the result as JSON, and what happens meanwhile on standard error.
`;

/** Runs `fixpoint upgrade` or `fixpoint rollback`. @returns the exit code */
export async function upgradeOrRollBack(machine: Machine, command: string, args: string[]): Promise<number> {
  let given: { file: string | undefined; backedUp: boolean; check: boolean; json: boolean };
  try {
    const options = {
      'backed-up': { type: 'boolean' },
      check: { type: 'boolean' },
      json: { type: 'boolean' },
    } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [file] = positionals;
    if (positionals.length > 1 || (command === 'upgrade' && !file)) throw new Error();
    given = {
      file: file && !isUrl(file) ? resolve(file) : file,
      backedUp: values['backed-up'] ?? false,
      check: values.check ?? false,
      json: values.json ?? false,
    };
  } catch {
    machine.say(USAGE);
    return EX_USAGE;
  }
  const { json, file, backedUp, check } = given;
  const told = json ? quiet(machine) : machine;
  const result = await (command === 'upgrade'
    ? upgrade(told, file!, backedUp)
    : rollBack(told, file, check)
  ).catch((error: Error): Installed => {
    if (!(error instanceof Refused)) throw error;
    told.say(error.message);
    return { installed: false, refused: error.message };
  });
  if (json) sayJson(machine, 'upgrade', result);
  return result.refused === undefined && (result.checks ?? []).every(({ passed }) => passed) ? 0 : 1;
}

const isUrl = (file: string): boolean => file.startsWith('https://');

async function upgrade(machine: Machine, named: string, backedUp: boolean): Promise<Installed> {
  const file = isUrl(named) ? await download(machine, named) : named;
  const { say } = machine;
  const version = await versionOf(machine, file);
  const before = await installedVersion(machine);
  const listed = await checkSignature(machine, file);
  const agents = await agentsOf(machine, { file, listed, ...(isUrl(named) && { url: named }) });
  if (await compares(machine, version, 'lt', before))
    throw new Refused(
      `${file} is ${version}, and ${before} is installed. To go back: fixpoint rollback ${file}`,
    );
  if (version === before && (await isComplete(machine))) {
    if (!(await isInstalled(machine, file)))
      throw new Refused(
        `${file} is another ${version} than the one that is installed. Each release needs a version of its own: ask who builds it.`,
      );
    say(`Fixpoint ${version} is installed already.`);
    return { version, installed: false, agents: await serveAgents(machine, agents) };
  }
  say(`Fixpoint ${version} has the signature of ${before}, which is installed.`);
  if (!backedUp) say(`The shop is backed up: ${await backUp(machine)}`);
  const stays = ({ out }: { out: string }) =>
    new Refused(`Nothing is installed, and ${before} goes on selling. ${version} says: ${out.trim()}`);
  await withVersion(machine, file, async ({ asRoot, asShop }) => {
    const roles = await asRoot('database', 'roles');
    // A version from before this command has no new role.
    if (roles.code !== 0 && roles.code !== EX_USAGE) throw stays(roles);
    if (roles.code === 0 && roles.out) say(roles.out.trim());
    const expanded = await asShop('database', 'expand');
    if (expanded.code !== 0) throw stays(expanded);
    say(expanded.out.trim());
  });
  const result = await install(machine, file, version);
  try {
    return { ...result, agents: await serveAgents(machine, agents) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    say(error.message);
    const failed = { command: 'agents', passed: false, says: error.message };
    return { ...result, checks: [...result.checks, failed] };
  }
}

/** Makes an encrypted backup, before anything of the database changes. @returns what the command says of it */
async function backUp(machine: Machine): Promise<string> {
  const { BACKUP_DIR = BACKUPS } = settingsIn((await machine.read(SETTINGS)) ?? '');
  const { code, out } = await machine.run('fixpoint', ['backup', 'make', '--to', BACKUP_DIR]);
  if (code !== 0)
    throw new Refused(
      `Nothing is installed, because no backup was made. ${out.trim()}\nIf you have a backup of now, run this again with --backed-up.`,
    );
  return out.trim();
}

/** Installs a package, keeps it, and checks the shop. */
async function install(
  machine: Machine,
  file: string,
  version: string,
): Promise<Installed & Required<Pick<Installed, 'checks'>>> {
  const { say, run, answers } = machine;
  await must(machine, KEPT, 'install', '--directory', '--mode=0700', KEPT);
  const options = ['install', '--yes', '--allow-downgrades', '--no-install-recommends'];
  const apt = ['DEBIAN_FRONTEND=noninteractive', 'apt-get', ...options, file];
  await must(machine, `${version} is not installed`, 'env', ...apt);
  const kept = join(KEPT, basename(file));
  if (kept !== file) await must(machine, `${file} is not kept`, 'cp', file, kept);
  if (!(await answers(`http://${SHOP}/readyz`))) {
    const says = `Fixpoint ${version} is installed and does not answer: journalctl -u 'fixpoint-*'. To go back: fixpoint rollback`;
    say(says);
    return { version, installed: true, checks: [{ command: 'readyz', passed: false, says }] };
  }
  say(`Fixpoint ${version} runs.`);
  const checks: Required<Installed>['checks'] = [];
  for (const command of ['ready', 'books']) {
    const { code, out } = await run('fixpoint', [command]);
    say(out.trim());
    checks.push({ command, passed: code === 0, says: out.trim() });
  }
  return { version, installed: true, checks };
}

async function rollBack(machine: Machine, given: string | undefined, check: boolean): Promise<Installed> {
  const { say } = machine;
  const file = given ?? (await keptBefore(machine));
  const version = await versionOf(machine, file);
  const installed = await installedVersion(machine);
  // The signature of a kept package was checked before it was installed. Only root writes that folder.
  if (dirname(file) !== KEPT) await checkSignature(machine, file);
  if (!(await compares(machine, version, 'lt', installed)))
    throw new Refused(
      `${file} is ${version}, which is no version before ${installed}. To install it: fixpoint upgrade ${file}`,
    );
  // Only looks: a version that lacks something in the database says so.
  const { code, out } = await withVersion(machine, file, ({ asShop }) => asShop('ready'));
  if (code === EX_UNAVAILABLE)
    throw new Refused(
      `There is no way back to ${version}: a newer version has removed something that it uses. ${out.trim()} What is left is the newest backup (fixpoint backup list), without what was sold since: docs/operate/restoring.md`,
    );
  say(
    `Fixpoint ${version} can use the database as it is. What a newer version added stays, and harms nothing.`,
  );
  return check ? { version, installed: false } : install(machine, file, version);
}

/** The newest kept package of an earlier version. @throws Refused when there is none */
async function keptBefore(machine: Machine): Promise<string> {
  const installed = await installedVersion(machine);
  const { out } = await machine.run('sh', ['-c', `ls -1 ${KEPT}/fixpoint_*.deb 2>/dev/null`]);
  let best: { file: string; version: string } | undefined;
  for (const file of out.split('\n').filter(Boolean)) {
    const version = await versionOf(machine, file);
    const isEarlier = await compares(machine, version, 'lt', installed);
    if (isEarlier && (!best || (await compares(machine, version, 'gt', best.version))))
      best = { file, version };
  }
  if (!best)
    throw new Refused(
      `No earlier package is kept in ${KEPT}: only those are that fixpoint upgrade has installed. Name its file: fixpoint rollback FILE.deb`,
    );
  return best.file;
}
