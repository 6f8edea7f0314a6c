import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Child, type ChildSpec, StartError, startChild } from './child.ts';
import { basicEnv, root } from './env.ts';
import { openLog } from './log-file.ts';

let folder: string;
let shown: string[];
let started: Child[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixpoint-child-'));
  shown = [];
  started = [];
});

afterEach(async () => {
  for (const child of started) await child.stop();
  await rm(folder, { recursive: true, force: true });
});

async function start(source: string, changes: Partial<ChildSpec> = {}): Promise<Child> {
  const program = join(folder, 'program.mjs');
  await writeFile(program, source);
  const child = await startChild({
    name: 'program',
    command: [program],
    cwd: root,
    env: basicEnv(),
    log: openLog(folder, 'program'),
    show: line => shown.push(line),
    keepAlive: true,
    whenReady: async firstLine => void (await firstLine),
    ...changes,
  });
  started.push(child);
  return child;
}

const serving = `console.log('{"ready":true}'); setInterval(() => {}, 1000); process.on('SIGTERM', () => process.exit(0));`;

test('a killed process restarts and the operator is notified', async () => {
  const child = await start(serving);
  const before = child.pid;
  await child.kill9();
  await child.ready();
  expect(child.pid).not.toBe(before);
  expect(shown.join()).toContain('exited unexpectedly');
});

const waiting = `import { environmentComplete } from '${join(root, 'packages/contract/src/supervised.ts')}';
  console.log('loaded');
  await environmentComplete(process.env);
  console.log(JSON.stringify({ ready: process.env.ADDRESS }));
  setInterval(() => {}, 1000);`;

test('a program loads before its late settings are known, begins with them, and restarts with them', async () => {
  const { promise: lateEnv, resolve } = Promise.withResolvers<Record<string, string>>();
  const starting = start(waiting, { lateEnv });
  const read = () => readFile(join(folder, 'program.log'), 'utf8').catch(() => '');
  await expect.poll(read).toBe('loaded\n');
  resolve({ ADDRESS: 'here' });
  const child = await starting;
  expect(child.lastLines).toEqual(['loaded', '{"ready":"here"}']);
  await child.kill9();
  await child.ready();
  expect(child.lastLines).toEqual(['loaded', '{"ready":"here"}']);
});

test('a program exits when its late settings do not come', async () => {
  const { promise: lateEnv, reject } = Promise.withResolvers<Record<string, string>>();
  const starting = start(`console.log(process.pid);${waiting.replace('import', '\nimport')}`, { lateEnv });
  const read = () => readFile(join(folder, 'program.log'), 'utf8').catch(() => '');
  await expect.poll(read).toMatch(/\d+\nloaded\n/);
  reject(new Error('no database'));
  await expect(starting).rejects.toThrow('no database');
  const pid = Number((await read()).split('\n')[0]);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

test('without keepAlive a process stays down until it is restarted', async () => {
  const child = await start(serving, { keepAlive: false });
  const before = child.pid;
  await child.kill9();
  await delay(500);
  expect(child.pid).toBe(before);
  await child.restart();
  expect(child.pid).not.toBe(before);
});

test('a stopped process does not restart', async () => {
  const child = await start(serving);
  await child.stop();
  await delay(500);
  expect(() => process.kill(child.pid!, 0)).toThrow();
  expect(shown).toEqual([]);
});

test('a program that exits before it is ready fails the start with the end of its output', async () => {
  const starting = start(`console.error('no such database'); process.exit(78);`);
  await expect(starting).rejects.toThrow(StartError);
  await expect(starting).rejects.toThrow('no such database');
});

test('everything is logged, only errors are shown', async () => {
  const child = await start(
    `console.log('{"level":30,"msg":"fine"}'); setTimeout(() => console.log('{"level":50,"msg":"lost","err":{"message":"cut"}}'), 200); setInterval(() => {}, 1000);`,
  );
  await expect.poll(() => shown).toEqual(['program: lost: cut']);
  await child.stop();
  await expect.poll(() => readFile(join(folder, 'program.log'), 'utf8')).toContain('fine');
});
