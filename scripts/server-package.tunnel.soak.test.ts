import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { bootMachine, type Machine } from '@fixpoint/agent/testing/machine.ts';
import { root } from '@fixpoint/dev-stack/env.ts';
import { spawnIn } from '@fixpoint/sandbox/internet/namespaces.ts';
import { must } from '@fixpoint/sandbox/internet/run.ts';
import { until } from '@fixpoint/testkit/buyer.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Builds a release, and installs its package of the shop on a Debian machine with systemd and Debian's PostgreSQL (OP15). */
const namespace = `fp-s${process.pid.toString(36)}-srv`;
let folder: string;
let machine: Machine;
let visitor: ReturnType<typeof spawnIn>;
let settings: Record<string, string>;

const run = promisify(execFile);
/** The commands of a section of the page. */
const page = await readFile(join(root, 'docs/operate/install.md'), 'utf8');
const commandsOf = (title: string): string[] =>
  Array.from(
    page
      .split('\n## ')
      .find(text => text.startsWith(title))!
      .matchAll(/```sh\n([\s\S]*?)```/g),
    ([, block = '']) => block.trim().split('\n'),
  ).flat();
/** The file of answers of the page. */
const answers = /```ini\n([\s\S]*?)```/.exec(page)![1]!;
/** Runs commands of the page as root, in the folder of the release. */
const follow = (commands: string[]) => machine.run('sh', '-ec', `cd /root; ${commands.join('\n')}`);
const dist = () => join(folder, 'dist');

/** Runs `npm run release` in a checkout, without its installation. */
const build = (checkout: string, to: string) => [
  process.execPath,
  join(checkout, 'scripts/release.ts'),
  ...['--dirty', '--arch', process.arch, '--key', join(folder, 'key'), '--folder', to],
];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixpoint-release-'));
  for (const name of ['key', 'other'])
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', join(folder, name)]);
  const [program = '', ...args] = build(root, dist());
  await run(program, args);
  await must('ip', ['netns', 'add', namespace]);
  await must('ip', ['-n', namespace, 'link', 'set', 'lo', 'up']);
  machine = await bootMachine(namespace, join(folder, 'disk'));
  visitor = spawnIn(namespace, [process.execPath, join(root, 'scripts/testing/visitor.ts')], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  [settings] = (await once(visitor, 'message')) as [Record<string, string>];
}, 600_000);
afterAll(async () => {
  visitor?.kill();
  await machine?.off();
  await must('ip', ['netns', 'del', namespace]).catch(() => undefined);
  await rm(folder, { recursive: true, force: true });
});

const fileOf = async (pattern: RegExp): Promise<string> =>
  join(dist(), (await readdir(dist())).find(name => pattern.test(name))!);
const serverFile = () => fileOf(/^fixpoint_.*\.deb$/);

async function ask<T>(what: object): Promise<T> {
  const answer = once(visitor, 'message');
  visitor.send(what);
  const [said] = (await answer) as [T & { error?: string }];
  if (said.error) throw new Error(said.error);
  return said;
}

test('OP15 the same commit and key give the same bytes, at another place too', {
  timeout: 600_000,
}, async () => {
  const [other, work] = [join(folder, 'elsewhere'), join(folder, 'work')];
  await Promise.all(
    [other, work, `${work}/upper`, `${work}/work`].map(path => mkdir(path, { recursive: true })),
  );
  const script = `mount -t overlay overlay -o "lowerdir=${root},upperdir=${work}/upper,workdir=${work}/work" ${other} &&
    rm -rf ${other}/apps/web/dist && cd ${other} && umask 077 && exec "$@"`;
  const command = build(other, join(folder, 'dist2')).map(part => part.replace(root, `${other}/`));
  await run('unshare', ['--mount', 'sh', '-c', script, 'sh', ...command]);
  const sums = (of: string) => readFile(join(folder, of, 'SHA256SUMS'), 'utf8');
  expect(await sums('dist2')).toBe(await sums('dist'));
});

test('OP15 checksums and signature hold, and the package is small and knows its signer', async () => {
  await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: dist() });
  const file = await serverFile();
  await run('dpkg-deb', ['--extract', file, join(folder, 'files')]);
  const signers = join(folder, 'files/usr/share/fixpoint/release-signers');
  const verify = `ssh-keygen -Y verify -f ${signers} -I release -n fixpoint-release -s SHA256SUMS.sig < SHA256SUMS`;
  await run('sh', ['-c', verify], { cwd: dist() });
  expect((await stat(file)).size).toBeLessThan(120e6);
  const { stdout: kilobytes } = await run('dpkg-deb', ['--field', file, 'Installed-Size']);
  expect(Number(kilobytes)).toBeLessThan(350_000);
  const bill = JSON.parse(await readFile(await fileOf(/\.cdx\.json$/), 'utf8'));
  const names = bill.components.map(({ name }: { name: string }) => name);
  expect(names).toContain('fastify');
  expect(names).not.toContain('vitest');
});

test('OP15 the units are closed to the rest of the machine', async () => {
  for (const name of ['fixpoint-api', 'fixpoint-worker']) {
    const unit = join(folder, 'files/usr/lib/systemd/system', `${name}.service`);
    const { stdout } = await run('systemd-analyze', ['security', '--offline=true', '--threshold=25', unit]);
    expect(stdout).toContain('Overall exposure level');
  }
});

test('OP15 the package sells on a Debian machine, with PostgreSQL of Debian', {
  timeout: 600_000,
}, async () => {
  await machine.run('pg_createcluster', '--port=5432', (await postgresVersion()).trim(), 'shop', '--start');
  for (const file of await readdir(dist()))
    await copyFile(join(dist(), file), join(machine.root, 'root', file));
  await follow(commandsOf('1. Get the release'));
  await follow(['dpkg --install fixpoint_*.deb']);
  // PayPal's messages do not matter here; the file of its authority lies outside this machine.
  const { PAYPAL_CERT_CA_FILE: _, PAYPAL_WEBHOOK_ID: __, STRIPE_WEBHOOK_SECRETS: ___, ...used } = settings;
  const own = { ...used, SEED: 'demo', HUMAN_CHECK_COST: '1' };
  const lines = Object.entries(own).map(([name, value]) => `${name}="${value}"\n`);
  await writeFile(join(machine.root, 'root/answers.env'), `${answers}${lines.join('')}`);
  const [, doctor = '', setup = ''] = commandsOf('3. Set it up');
  const left = (said: string) =>
    said
      .split('To do:')[1]!
      .match(/^- [^:]+/gm)!
      .toSorted();
  const run = (command: string) => machine.run('sh', '-c', `cd /root; ${command}; [ $? = 1 ]`);
  const said = await run(setup);
  for (const line of [
    'The database is there.',
    'The webhook at Stripe leads to',
    'The shop runs.',
    'master.key',
  ])
    expect(said).toContain(line);
  expect(said).toContain('A test email is on its way to support@example.com');
  // A machine without a proxy, a name server and a way to the internet.
  const outside = [
    ...['example.com', '_dmarc.example.com', 'pay.example.com', 'shop.example.com'].map(
      name => `- DNS of ${name}`,
    ),
    '- Proxy',
    '- Ready',
    ...['btcpay', 'paypal', 'stripe'].map(name => `- ${name}, webhook address, tried from this machine`),
  ].toSorted();
  expect(new Set(left(said))).toEqual(new Set([...outside, '- Webhook at Stripe', ...wrongInSandbox(said)]));
  const file = await machine.run('cat', '/etc/fixpoint/fixpoint.env');
  const again = await run(doctor);
  expect(new Set(left(again))).toEqual(new Set([...outside, ...wrongInSandbox(again)]));
  expect(again).not.toContain('test email');
  expect(await machine.run('cat', '/etc/fixpoint/fixpoint.env')).toBe(file);
  const host = '--host bkk-1 --provider demo --region th-bkk --vendor fixpoint --pool 203.0.113.0/24'.split(
    ' ',
  );
  await ask({ serve: (await machine.run('fixpoint', 'host', 'add', ...host)).trim().split('\n').at(-1)! });
  const journal = () => machine.run('journalctl', '--no-pager', '--lines=60', '--unit=fixpoint-*');
  const bought = await ask<{ receipt: string[]; subscriptions: number }>({ buy: 'ann@example.com' }).catch(
    async error => Promise.reject(new Error(`${(error as Error).message}\n${await journal()}`)),
  );
  // The receipt shows that Typst works inside the sandbox of the unit, the login that argon2 does.
  expect(bought).toEqual({ receipt: ['application/pdf'], subscriptions: 1 });
  expect(await machine.run('fixpoint', 'books')).toContain('The books balance.');
  const mode = await machine.run(
    'stat',
    '--format=%a %U',
    '/var/lib/fixpoint/master.key',
    '/etc/fixpoint/fixpoint.env',
  );
  expect(mode.trim().split('\n')).toEqual(['600 fixpoint', '640 root']);
});

test('OP16 callers wait while the shop restarts, and nobody is refused', { timeout: 240_000 }, async () => {
  const watching = ask<{ asked: number; refused: number; slowest: number }>({ watch: 20_000 });
  await machine.run('systemctl', 'restart', 'fixpoint-api.service');
  const { asked, refused, slowest } = await watching;
  process.stdout.write(`restart: ${asked} calls, the slowest waited ${Math.round(slowest)} ms\n`);
  expect(refused).toBe(0);
  expect(asked).toBeGreaterThan(10);
});

test('OP15 an upgrade loses no call and keeps the settings, and its way back is known before', {
  timeout: 600_000,
}, async () => {
  const first = join('/root', basename(await serverFile()));
  const installed = async () =>
    (await machine.run('dpkg-query', '--show', 'fixpoint')).trim().split('\t')[1]!;
  const settingsNow = () => machine.run('cat', '/etc/fixpoint/fixpoint.env');
  const version = await installed();
  /** Runs a command that ends with this code. */
  const ends = (code: number, ...command: string[]) =>
    machine.run('sh', '-c', `"$@"; [ $? = ${code} ]`, 'sh', 'fixpoint', ...command);

  const foreign = await laterRelease(
    '0.9.1',
    '0998_later.sql',
    '-- expand\ncreate table later ();\n',
    'other',
  );
  expect(await ends(1, 'upgrade', foreign)).toContain(
    'is not signed by who has signed the installed version',
  );
  expect(await installed()).toBe(version);

  const added = await laterRelease('0.9.1', '0998_later.sql', '-- expand\ncreate table later ();\n', 'key');
  expect(await ends(1, 'upgrade', added)).toContain('BACKUP_RECIPIENTS is not set');
  expect(await installed()).toBe(version);
  await follow([
    'age-keygen -o backup.key',
    'echo "BACKUP_RECIPIENTS=$(age-keygen -y backup.key)" >> /etc/fixpoint/fixpoint.env',
  ]);
  const before = await settingsNow();
  const watching = ask<{ refused: number }>({ watch: 60_000 });
  // The demo's other places have no host, which `ready` says.
  const said = await ends(1, 'upgrade', added);
  expect((await watching).refused).toBe(0);
  for (const line of ['0998_later.sql', 'Fixpoint 0.9.1 runs.', 'The books balance.'])
    expect(said).toContain(line);
  const backup = /backed up: (\S+):/.exec(said)![1]!;
  expect((await machine.run('stat', '--format=%a %U', backup)).trim()).toBe('600 fixpoint');
  const [header] = (await follow([`age --decrypt --identity backup.key ${backup} | head --lines=1`])).split(
    '\n',
  );
  expect(JSON.parse(header!)).toMatchObject({ format: 'fixpoint-backup', masterKey: expect.any(String) });
  expect(await settingsNow()).toBe(before);

  expect(await ends(1, 'rollback', first)).toContain(`Fixpoint ${version} runs.`);
  expect(await installed()).toBe(version);
  const removing = await laterRelease('0.9.2', '0999_less.sql', '-- contract\ndrop table later;\n', 'key');
  expect(await ends(1, 'upgrade', removing)).toContain('there is no way back after it');
  expect(await ends(1, 'rollback', '--check', first)).toContain(`There is no way back to ${version}`);
  expect(await installed()).toBe('0.9.2');
});

test('OP16 a shop with wrong settings stays down until somebody repairs them', {
  timeout: 240_000,
}, async () => {
  await machine.run('sh', '-c', 'echo DEFAULT_CURRENCY=baht >> /etc/fixpoint/fixpoint.env');
  await machine.run('systemctl', 'restart', 'fixpoint-worker.service');
  const state = () =>
    machine.run('systemctl', 'show', '--property=ActiveState,ExecMainStatus,NRestarts', 'fixpoint-worker');
  await until(async () => (await state()).includes('ActiveState=failed'), 'the worker to give up');
  expect((await state()).split('\n')).toEqual(
    expect.arrayContaining(['ActiveState=failed', 'ExecMainStatus=78', 'NRestarts=0']),
  );
  expect(await machine.run('journalctl', '--no-pager', '--unit=fixpoint-worker')).toContain(
    'DEFAULT_CURRENCY',
  );
});

test('OP15 the manual and the completion know every command', async () => {
  const manual = await readFile(join(folder, 'files/usr/share/man/man1/fixpoint.1'), 'utf8');
  expect(manual).toContain('fixpoint host move');
  const completed = await machine.run(
    'bash',
    '-c',
    '. /usr/share/bash-completion/completions/fixpoint; COMP_WORDS=(fixpoint host m); COMP_CWORD=2; _fixpoint; printf "%s\\n" "$COMPREPLY"',
  );
  expect(completed.trim()).toBe('move');
});

test('OP15 purging the package keeps the key without which the database is worthless', async () => {
  await machine.run('dpkg', '--purge', 'fixpoint');
  await machine.run('test', '-s', '/var/lib/fixpoint/master.key');
  await expect(machine.run('test', '-e', '/etc/fixpoint/fixpoint.env')).rejects.toThrow();
});

/** A release of a later version with one more migration, signed with a key. @returns its package, on the machine */
async function laterRelease(version: string, name: string, sql: string, key: string): Promise<string> {
  const [tree, to] = [await mkdtemp(join(folder, 'tree-')), join('/root', `${version}-${key}`)];
  const outside = join(machine.root, to);
  const file = `fixpoint_${version}_all.deb`;
  await run('dpkg-deb', ['--raw-extract', await serverFile(), tree]);
  await run('sed', ['--in-place', `s/^Version: .*/Version: ${version}/`, join(tree, 'DEBIAN/control')]);
  await writeFile(join(tree, 'usr/lib/fixpoint/apps/api/migrations', name), sql);
  await mkdir(outside);
  await run('dpkg-deb', ['--root-owner-group', '-Znone', '--build', tree, join(outside, file)]);
  const { stdout } = await run('sha256sum', [file], { cwd: outside });
  await writeFile(join(outside, 'SHA256SUMS'), stdout);
  const sign = ['-Y', 'sign', '-f', join(folder, key), '-n', 'fixpoint-release', join(outside, 'SHA256SUMS')];
  await run('ssh-keygen', sign);
  return join(to, file);
}

/** The sandbox's webhooks lead to this machine, not to the name of the shop. */
const wrongInSandbox = (said: string): string[] =>
  said.match(/^- (stripe|paypal|btcpay), (?!webhook address)[^:]+/gm) ?? [];

const postgresVersion = () => machine.run('sh', '-c', 'ls /usr/lib/postgresql | sort -n | tail -1');
