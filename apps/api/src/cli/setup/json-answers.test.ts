import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { hostSetup } from '../../compose/host-setup/setup-script.ts';
import { upgradeOrRollBack } from '../upgrade/upgrade.ts';
import type { Machine } from './machine.ts';
import { setUp } from './setup.ts';

/** A machine with these files, on which programs print what they are told. */
function machineWith(files: Record<string, string>, programs: Record<string, [number, string]> = {}) {
  const said: string[] = [];
  const noted: string[] = [];
  const machine: Machine = {
    read: async path => files[path],
    async write(path, text) {
      files[path] = text;
    },
    async run(program, args) {
      const command = [program, ...args].join(' ');
      const [code, out] = Object.entries(programs).find(([start]) => command.startsWith(start))?.[1] ?? [
        0,
        '',
      ];
      return { code, out };
    },
    answers: async () => true,
    dns: {
      resolve4: async () => [],
      resolve6: async () => [],
      resolveTxt: async () => [],
      cancel: () => {},
    } as never,
    ask: () => expect.fail('nothing is asked'),
    say: line => void said.push(line),
    note: line => void noted.push(line),
  };
  return { machine, noted, answer: () => JSON.parse(said.join('\n')) as unknown };
}

test.each(['setup', 'doctor'])('OP14 %s --json asks nothing and lists what is left to do', async command => {
  const { machine, answer } = machineWith({ '/etc/fixpoint/fixpoint.env': '' });
  expect(await setUp(machine, command, ['--json'])).toBe(1);
  expect(answer()).toMatchObject({
    todo: expect.arrayContaining([{ about: 'Settings', todo: expect.stringContaining('STRIPE_SECRET') }]),
  });
});

test.each(['setup', 'doctor'])(
  'OP12 %s says which value is cut, and leaves the file as it is',
  async command => {
    const text = 'STRIPE_SECRET=sk_live_a#b # from the dashboard\n';
    const files = { '/etc/fixpoint/fixpoint.env': text };
    const { machine, answer } = machineWith(files);
    expect(await setUp(machine, command, ['--json'])).toBe(1);
    expect(answer()).toEqual({
      todo: [
        {
          about: '/etc/fixpoint/fixpoint.env',
          todo: expect.stringContaining('STRIPE_SECRET: the value ends'),
        },
      ],
    });
    expect(files['/etc/fixpoint/fixpoint.env']).toBe(text);
  },
);

test('OP12 doctor names a misspelt setting beside the one that is missing', async () => {
  const { machine, answer } = machineWith({ '/etc/fixpoint/fixpoint.env': 'STRIPE_SECRT=x # mine\n' });
  await setUp(machine, 'doctor', ['--json']);
  expect(JSON.stringify(answer())).toContain(
    'STRIPE_SECRT is not a setting and is ignored. Did you mean STRIPE_SECRET?',
  );
});

const SIGNED = {
  'dpkg --compare-versions 0.3.0 lt 0.2.0': [1, ''],
  'dpkg-deb --show': [0, 'fixpoint\t0.3.0'],
  'dpkg-query': [0, 'fixpoint\t0.2.0'],
  sha256sum: [0, 'abc  /r/f.deb'],
  'fixpoint books': [1, 'They differ.'],
} satisfies Record<string, [number, string]>;
const upgrade = (machine: Machine) =>
  upgradeOrRollBack(machine, 'upgrade', ['/r/f.deb', '--backed-up', '--json']);

test('OP14 upgrade --json prints version and checks, and what happens meanwhile beside it', async () => {
  const { machine, noted, answer } = machineWith({ '/r/SHA256SUMS': 'abc  f.deb\n' }, SIGNED);
  expect(await upgrade(machine)).toBe(1);
  expect(answer()).toEqual({
    version: '0.3.0',
    installed: true,
    agents: [],
    checks: [
      { command: 'ready', passed: true, says: '' },
      { command: 'books', passed: false, says: 'They differ.' },
    ],
  });
  expect(noted).toContain('Fixpoint 0.3.0 runs.');
});

test('upgrade downloads a package with the signature beside it, and checks it before anything else happens', async () => {
  const { machine } = machineWith({}, SIGNED);
  const commands = commandsOf(machine);
  const url = 'https://releases.example.com/0.3.0/fixpoint_0.3.0_amd64.deb';
  expect(await upgradeOrRollBack(machine, 'upgrade', [url])).toBe(1);
  const fetched = commands.flatMap(each => / download-file (\S+)/.exec(each)?.[1] ?? []);
  expect(fetched).toEqual([url, ...['SHA256SUMS', 'SHA256SUMS.sig'].map(each => new URL(each, url).href)]);
  // The fake machine has no list of sums, so nothing is installed.
  expect(commands.join('\n')).not.toMatch(/apt-get|backup/);
});

/** Records the commands of a machine. */
function commandsOf(machine: Machine): string[] {
  const commands: string[] = [];
  const { run } = machine;
  machine.run = (program, args, input) => {
    commands.push([program, ...args].join(' '));
    return run(program, args, input);
  };
  return commands;
}

const KEPT = '/var/cache/fixpoint-releases/fixpoint_0.2.0_amd64.deb';
const EARLIER = {
  'dpkg-deb --show': [0, 'fixpoint\t0.2.0'],
  'dpkg-query': [0, 'fixpoint\t0.3.0'],
} satisfies Record<string, [number, string]>;
const COMPLETE = {
  'dpkg-query --status': [0, 'Package: fixpoint\nStatus: install ok installed\n'],
} satisfies Record<string, [number, string]>;
const NOT_OLDER = { 'dpkg --compare-versions': [1, ''] } satisfies Record<string, [number, string]>;

test.each([
  ['has no signature beside it', ['/r/f.deb'], { ...SIGNED, ...EARLIER }, {}, 'SHA256SUMS is missing'],
  [
    'was signed by somebody else',
    ['/r/f.deb'],
    { ...SIGNED, ...EARLIER, 'ssh-keygen': [255, ''] },
    { '/r/SHA256SUMS': 'abc  f.deb\n' },
    'is not signed',
  ],
  [
    'is no version before',
    ['/r/f.deb'],
    { ...SIGNED, ...NOT_OLDER },
    { '/r/SHA256SUMS': 'abc  f.deb\n' },
    'no version before 0.2.0',
  ],
] as [string, string[], Record<string, [number, string]>, Record<string, string>, string][])(
  'OP15 rollback runs nothing of a package that %s',
  async (_, args, programs, files, says) => {
    const { machine, answer } = machineWith(files, programs);
    const commands = commandsOf(machine);
    expect(await upgradeOrRollBack(machine, 'rollback', [...args, '--json'])).toBe(1);
    expect(answer()).toMatchObject({ installed: false, refused: expect.stringContaining(says) });
    expect(commands.join('\n')).not.toMatch(/--extract|setpriv|apt-get/);
  },
);

test('OP15 rollback goes back to a signed file, and to a kept package without its signature', async () => {
  for (const [file, files] of [
    ['/r/f.deb', { '/r/SHA256SUMS': 'abc  f.deb\n' }],
    [KEPT, {}],
  ] as const) {
    const { machine, answer } = machineWith({ ...files }, { ...SIGNED, ...EARLIER });
    await upgradeOrRollBack(machine, 'rollback', [file, '--json']);
    expect(answer()).toMatchObject({ version: '0.2.0', installed: true });
  }
});

test.each([
  [
    'says that a version is installed already',
    { 'env --chdir': [0, ''] },
    { installed: false, agents: [] },
    0,
  ],
  [
    'refuses another package of the same version',
    { 'env --chdir': [1, ''] },
    { installed: false, refused: expect.stringContaining('is another 0.3.0') },
    1,
  ],
  [
    'refuses an earlier version',
    { 'dpkg --compare-versions 0.3.0 lt 0.3.0': [0, ''] },
    { installed: false, refused: expect.stringContaining('To go back: fixpoint rollback /r/f.deb') },
    1,
  ],
  [
    'completes an installation that was interrupted',
    { 'dpkg-query --status': [0, 'Status: install ok half-configured\n'] },
    { installed: true },
    1,
  ],
] as [string, Record<string, [number, string]>, object, number][])(
  'OP16 upgrade %s',
  async (_, programs, answered, code) => {
    const { machine, answer, noted } = machineWith(
      { '/r/SHA256SUMS': 'abc  f.deb\n' },
      {
        // The first that fits wins, with the last value of its name.
        ...programs,
        ...NOT_OLDER,
        ...COMPLETE,
        ...programs,
        ...SIGNED,
        'dpkg-query': [0, 'fixpoint\t0.3.0'],
      },
    );
    const commands = commandsOf(machine);
    expect(await upgrade(machine)).toBe(code);
    expect(answer()).toMatchObject(answered);
    if (code === 0) expect(noted).toContain('Fixpoint 0.3.0 is installed already.');
    if (!('installed' in answered && answered.installed))
      expect(commands.join('\n')).not.toMatch(/setpriv|apt-get/);
  },
);

test('OP14 upgrade --json prints why it refuses', async () => {
  const { machine, answer } = machineWith(
    { '/r/SHA256SUMS': 'abc  f.deb\n' },
    { ...SIGNED, 'ssh-keygen': [255, ''] },
  );
  expect(await upgrade(machine)).toBe(1);
  expect(answer()).toMatchObject({ installed: false, refused: expect.stringContaining('is not signed') });
});

/** A release with an agent, on a machine that serves an older one to hosts. Files are real, packages and the shop are not. */
async function releaseWithAgent() {
  const folder = await mkdtemp(join(tmpdir(), 'fixpoint-agents-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [release, agents] = [join(folder, 'release'), join(folder, 'agents')];
  const name = 'fixpoint-agent_0.3.0+20270101000000_amd64.deb';
  await mkdir(release);
  await mkdir(agents);
  await writeFile(join(agents, 'fixpoint-agent_0.2.0+20260101000000_amd64.deb'), 'old');
  await writeFile(join(release, 'f.deb'), 'shop');
  await writeFile(join(release, name), 'new');
  const run = promisify(execFile);
  const { stdout } = await run('sha256sum', ['f.deb', name], { cwd: release });
  const { sha256sum: _, ...programs } = SIGNED;
  const settings = `AGENT_PACKAGES_DIR=${agents}\n`;
  const made = machineWith(
    { [join(release, 'SHA256SUMS')]: stdout, '/etc/fixpoint/fixpoint.env': settings },
    { ...programs, 'fixpoint books': [0, ''] },
  );
  const { run: pretend } = made.machine;
  made.machine.run = async (program, args, input) => {
    if (!['install', 'mv', 'sha256sum', 'test'].includes(program) || args.at(-1)!.startsWith('/var/cache'))
      return pretend(program, args, input);
    return run(program, [...args]).then(
      each => ({ code: 0, out: each.stdout }),
      () => ({ code: 1, out: '' }),
    );
  };
  const begin = () =>
    upgradeOrRollBack(made.machine, 'upgrade', [join(release, 'f.deb'), '--backed-up', '--json']);
  return { ...made, agents, name, agent: join(release, name), begin };
}

test('upgrade copies the agent of the release to where hosts get it: the line of host add has the new one', async () => {
  const { agents, name, begin, answer } = await releaseWithAgent();
  expect((await hostSetup(agents))!.script).not.toContain(name);
  expect(await begin()).toBe(0);
  expect(answer()).toMatchObject({ installed: true, agents: [name] });
  expect((await hostSetup(agents))!.script).toContain(`amd64) name=${name} hash=`);
});

test('upgrade installs nothing when the agent is not the one of the release, and goes on without one', async () => {
  const other = await releaseWithAgent();
  await writeFile(other.agent, 'another');
  expect(await other.begin()).toBe(1);
  expect(other.answer()).toMatchObject({ installed: false, refused: expect.stringContaining(other.name) });
  const without = await releaseWithAgent();
  await rm(without.agent);
  expect(await without.begin()).toBe(0);
  expect(without.answer()).toMatchObject({ installed: true, agents: [] });
  expect(without.noted.join('\n')).toContain(`${without.name} of the release is not beside`);
});
