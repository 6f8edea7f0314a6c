import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentVersion } from './agent-version.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixpoint-agent-version-'));
  await mkdir(join(folder, 'apps/agent'), { recursive: true });
  await writeFile(join(folder, 'apps/agent/package.json'), '{"version":"0.3.0"}');
});
afterAll(() => rm(folder, { recursive: true }));

function git(at: string, ...args: string[]): void {
  const env = { GIT_COMMITTER_DATE: at, GIT_AUTHOR_DATE: at, HOME: folder, PATH: process.env.PATH };
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: folder, env });
}
async function commit(file: string, at: string): Promise<void> {
  await writeFile(join(folder, file), at);
  git(at, 'add', '-A');
  git(at, 'commit', '-qm', file);
}

test('the agent’s version grows with each commit that changes its sources, and with no other', async () => {
  expect(await agentVersion(folder)).toBe('0.3.0');
  git('2026-11-29T05:00:00Z', 'init', '-q');
  await commit('apps/agent/main.ts', '2026-11-29T05:55:04Z');
  expect(await agentVersion(folder)).toBe('0.3.0+20261129055504');
  await commit('README.md', '2026-12-01T00:00:00Z');
  expect(await agentVersion(folder)).toBe('0.3.0+20261129055504');
  await commit('package-lock.json', '2026-12-02T01:02:03+07:00');
  const committed = await agentVersion(folder);
  expect(committed).toBe('0.3.0+20261201180203');
  // Debian orders them the same way.
  execFileSync('dpkg', ['--compare-versions', committed, 'gt', '0.3.0+20261129055504']);
  execFileSync('dpkg', ['--compare-versions', committed, 'gt', '0.3.0']);
  await writeFile(join(folder, 'apps/agent/main.ts'), 'changed');
  expect(await agentVersion(folder, new Date('2026-12-24T12:00:00Z'))).toBe('0.3.0+20261224120000');
});
