import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { basicEnv, root } from '@fixpoint/dev-stack/env.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';

/** A fake npm that installs package `a` within `TAKES` ms and rolls back on SIGINT. */
const npm = `
const { appendFileSync, mkdirSync, rmSync } = require('node:fs');
const log = line => appendFileSync('log', line + '\\n');
if (process.argv[2] === 'install') {
  mkdirSync('node_modules/a', { recursive: true });
  const work = setTimeout(() => log('done'), Number(process.env.TAKES));
  process.on('SIGINT', () => {
    clearTimeout(work);
    setTimeout(() => {
      rmSync('node_modules/a', { recursive: true });
      log('rolled back');
      process.exit(130);
    }, 300);
  });
  // Last: the test sends SIGINT when it reads this.
  log('begun');
}`;

let folder: string;
let started: ChildProcess[];

beforeEach(async () => {
  started = [];
  folder = await mkdtemp(join(tmpdir(), 'fixpoint install-'));
  await mkdir(join(folder, 'scripts'));
  for (const part of ['install', 'install.mjs', 'setup.mjs'])
    await cp(join(root, 'scripts', part), join(folder, 'scripts', part), { recursive: true });
  await writeFile(join(folder, 'npm.js'), npm);
  await writeFile(join(folder, 'package.json'), '{ "dependencies": { "a": "1.0.0" } }');
  const packages = { '': { dependencies: { a: '1.0.0' } }, 'node_modules/a': { version: '1.0.0' } };
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }));
});

afterEach(async () => {
  for (const child of started) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/** Runs `npm run setup` in a checkout of package `a`. */
function setup(env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(folder, 'scripts/setup.mjs')], {
    env: { ...basicEnv(), npm_execpath: join(folder, 'npm.js'), TAKES: '300', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  return { child, exited: once(child, 'close').then(([code]) => ({ code, output })) };
}

const npmLog = () => (existsSync(join(folder, 'log')) ? readFileSync(join(folder, 'log'), 'utf8') : '');
const begun = () => expect.poll(npmLog, { timeout: 20_000 }).toContain('begun');

test('FO2 Ctrl-C during the first install reaches npm, which rolls back; the next start installs', async () => {
  const { child, exited } = setup({ TAKES: '60000' });
  await begun();
  child.kill('SIGINT');
  expect(await exited).toMatchObject({ code: 130 });
  // The start waited for npm.
  expect(npmLog()).toBe('begun\nrolled back\n');
  expect(await setup().exited).toMatchObject({ code: 0 });
  expect(npmLog()).toBe('begun\nrolled back\nbegun\ndone\n');
});

test('FO2 two concurrent starts install once', async () => {
  const first = setup({ TAKES: '1500' });
  await begun();
  const second = await setup().exited;
  expect(second).toEqual({ code: 0, output: expect.stringContaining('waiting for it') });
  expect(await first.exited).toMatchObject({ code: 0 });
  expect(npmLog()).toBe('begun\ndone\n');
});

test('FO2 after SIGKILL of a start its npm still holds the lock until it exits', async () => {
  const { child } = setup({ TAKES: '1500' });
  await begun();
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect((await setup().exited).output).toContain('waiting for it');
  // Without a marker the second start installs again.
  expect(npmLog()).toBe('begun\ndone\nbegun\ndone\n');
});

test('FO2 a missing package is installed despite the marker', async () => {
  await setup().exited;
  expect((await setup().exited).output).toBe('');
  await rm(join(folder, 'node_modules/a'), { recursive: true });
  expect((await setup().exited).output).toContain('Installing');
  expect(npmLog()).toBe('begun\ndone\nbegun\ndone\n');
});

test('FO3 a silent registry is named within ten seconds', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const registry = `http://127.0.0.1:${(silent.address() as { port: number }).port}/`;
  const begin = performance.now();
  // The real npm with an empty cache.
  const { child, exited } = setup({
    npm_execpath: '',
    npm_config_registry: registry,
    npm_config_cache: join(folder, 'cache'),
  });
  let namedAfter = Number.POSITIVE_INFINITY;
  child.stderr!.once('data', () => {
    namedAfter = performance.now() - begin;
  });
  expect(await exited).toEqual({
    code: 1,
    output: expect.stringMatching(new RegExp(`${registry} does not answer[\\s\\S]+npm config set registry`)),
  });
  // Ten seconds, and the start of npm on a busy machine.
  expect(namedAfter).toBeLessThan(20_000);
  silent.close();
});
