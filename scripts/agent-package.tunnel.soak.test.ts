import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageAgent } from './agent-package.ts';

let folder: string;
let file: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fixpoint-package-'));
  file = await packageAgent(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

const inPackage = (path: string) =>
  execFileSync('sh', ['-c', 'dpkg-deb --fsys-tarfile "$1" | tar -xO ".$2"', 'sh', file, path], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  });

test('the package has a version of its build, which the agent reports', async () => {
  const version = execFileSync('dpkg-deb', ['--field', file, 'Version'], { encoding: 'utf8' }).trim();
  expect(version).toMatch(/^\d+\.\d+\.\d+\+\d{14}$/);
  expect(file).toContain(`fixpoint-agent_${version}_`);
  expect(inPackage('/usr/lib/fixpoint-agent/agent.mjs')).toContain(`"${version}"`);
});

test('FV23 the package recommends the TPM libraries of systemd, and its seal survives updates of Secure Boot', () => {
  const field = execFileSync('dpkg-deb', ['--field', file, 'Recommends'], { encoding: 'utf8' });
  expect(field).toContain('libtss2-esys-3.0.2-0, libtss2-rc0');
  expect(inPackage('/usr/lib/systemd/system/fixpoint-agent-key.service')).toContain(
    'systemd-creds encrypt --tpm2-pcrs=23 ',
  );
});

test('V25 the package makes systemd apply the agent’s sysctls to new tunnels, after Debian’s defaults', () => {
  const lines = inPackage('/usr/lib/sysctl.d/60-fixpoint-agent.conf').trim().split('\n');
  expect(lines.filter(line => !line.startsWith('#'))).toEqual([
    '-net/ipv4/conf/fpt*/rp_filter = 1',
    '-net/ipv4/conf/fpt*/src_valid_mark = 1',
    '-net/ipv4/conf/fpt*/log_martians = 0',
    '-net/ipv6/conf/fpt*/addr_gen_mode = 1',
    '-net/ipv6/conf/fpt*/accept_ra = 0',
  ]);
});

test('S81 with the package no log tells when a tunnel lost its last device', () => {
  const unit = inPackage('/usr/lib/systemd/system/systemd-networkd.service.d/60-fixpoint-agent.conf');
  expect(unit).toContain('[Service]\nLogLevelMax=notice\n');
});
