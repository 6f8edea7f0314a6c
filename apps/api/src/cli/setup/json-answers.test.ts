import { expect, test } from 'vitest';
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

const SIGNED = {
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
    checks: [
      { command: 'ready', passed: true, says: '' },
      { command: 'books', passed: false, says: 'They differ.' },
    ],
  });
  expect(noted).toContain('Fixpoint 0.3.0 runs.');
});

test('upgrade downloads a package with the signature beside it, and checks it before anything else happens', async () => {
  const { machine } = machineWith({}, SIGNED);
  const commands: string[] = [];
  const { run } = machine;
  machine.run = (program, args, input) => {
    commands.push([program, ...args].join(' '));
    return run(program, args, input);
  };
  const url = 'https://releases.example.com/0.3.0/fixpoint_0.3.0_amd64.deb';
  expect(await upgradeOrRollBack(machine, 'upgrade', [url])).toBe(1);
  const fetched = commands.flatMap(each => / download-file (\S+)/.exec(each)?.[1] ?? []);
  expect(fetched).toEqual([url, ...['SHA256SUMS', 'SHA256SUMS.sig'].map(each => new URL(each, url).href)]);
  // The fake machine has no list of sums, so nothing is installed.
  expect(commands.join('\n')).not.toMatch(/apt-get|backup/);
});

test('OP14 upgrade --json prints why it refuses', async () => {
  const { machine, answer } = machineWith(
    { '/r/SHA256SUMS': 'abc  f.deb\n' },
    { ...SIGNED, 'ssh-keygen': [255, ''] },
  );
  expect(await upgrade(machine)).toBe(1);
  expect(answer()).toMatchObject({ installed: false, refused: expect.stringContaining('is not signed') });
});
