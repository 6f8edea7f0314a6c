import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readlink, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StartError } from './child.ts';
import { basicEnv, root, SettingsError } from './env.ts';
import { operatorMessage } from './operator-message.ts';
import { type Stack, startStack } from './stack.ts';

let dataDir: string;
let stack: Stack | undefined;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'fixpoint stack-'));
});

afterEach(async () => {
  await stack?.stop();
  stack = undefined;
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

const isReady = (url: string) =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

/** Processes with a file of this data folder open, or their home there. */
async function processesOf(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const pid of (await readdir('/proc')).filter(
    name => /^\d+$/.test(name) && name !== String(process.pid),
  )) {
    const links = await readdir(`/proc/${pid}/fd`).catch(() => []);
    const paths = await Promise.all(
      [`cwd`, ...links.map(link => `fd/${link}`)].map(link =>
        readlink(`/proc/${pid}/${link}`).catch(() => ''),
      ),
    );
    if (paths.some(path => path.startsWith(folder))) found.push(pid);
  }
  return found;
}

/** Reports of broken page policies: what anybody can make the shop log, until it answers no more. */
async function haveItLog(url: string): Promise<void> {
  const report = { body: { effectiveDirective: 'img-src' } };
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/reports+json' },
    body: JSON.stringify(Array.from({ length: 20 }, () => report)),
  };
  const ask = () =>
    fetch(`${url}/reports/csp`, { ...request, signal: AbortSignal.timeout(5_000) }).then(
      () => true,
      () => false,
    );
  while ((await Promise.all(Array.from({ length: 20 }, ask))).some(Boolean));
}

test('starts all, survives the death of each, and leaves nothing behind', async () => {
  stack = await startStack({ dataDir, durable: false });
  const { url, api, sandbox, postgres } = stack;
  expect(await isReady(url)).toBe(true);
  expect((await fetch(`${sandbox!.url}/mail/api/v1/messages`)).ok).toBe(true);
  expect((await stat(join(dataDir, 'sandbox/keys.json'))).mode & 0o777).toBe(0o600);

  const pid = api.pid;
  await api.kill9();
  await expect.poll(() => isReady(url)).toBe(true);
  expect(api.pid).not.toBe(pid);

  // Whether the shop is ever seen without its database depends on the machine: it is back within a moment.
  const databasePid = postgres!.pid;
  process.kill(databasePid, 'SIGKILL');
  await expect.poll(() => postgres!.pid).not.toBe(databasePid);
  await expect.poll(() => isReady(url)).toBe(true);

  await stack.stop();
  expect(await isReady(url)).toBe(false);
  if (process.platform === 'linux') expect(await processesOf(dataDir)).toEqual([]);
});

test('a port in use is said before anything is started', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const starting = startStack({ dataDir, env: { PORT: String(port) } });
  await expect(starting).rejects.toThrow(SettingsError);
  await expect(starting).rejects.toThrow(`Port ${port} is in use`);
  other.close();
});

test('FO11 a database that is nowhere is said in a sentence that names its setting', async () => {
  const url = (role: string) => `postgresql://fixpoint_${role}:x@nowhere.invalid/fixpoint`;
  const env = {
    DATABASE_URL: url('owner'),
    DATABASE_APP_URL: url('app'),
    DATABASE_CUSTOMER_URL: url('customer'),
  };
  const fault = await startStack({ dataDir, env }).catch((error: Error) => error);
  expect(fault).toBeInstanceOf(StartError);
  expect(operatorMessage(fault)).toMatch(
    /^api cannot start:\nDATABASE_URL names no database server.*nowhere\.invalid$/,
  );
});

test.runIf(process.platform === 'linux')(
  'FO14 everything ends when the start is killed -9, also what is just being logged (needs Linux)',
  async () => {
    const child = spawn(process.execPath, [join(root, 'scripts/run.ts')], {
      env: { ...basicEnv(), DATA_DIR: dataDir, PORT: '0', NO_INSTALL: '1', LOG_LEVEL: 'debug' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    for await (const text of child.stdout.setEncoding('utf8')) {
      output += text;
      if (output.includes('Stop:')) break;
    }
    const url = /http:\/\/localhost:\d+/.exec(output)![0];
    expect(await isReady(url)).toBe(true);
    const logging = haveItLog(url);
    child.kill('SIGKILL');
    await logging;
    await expect.poll(() => processesOf(dataDir)).toEqual([]);
    expect(await isReady(url)).toBe(false);
  },
);
