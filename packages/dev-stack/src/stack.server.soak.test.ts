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

/** Processes that work in this folder or have a file of it open. */
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

/** Sends CSP reports, which anybody can make the shop log, until it no longer answers. */
async function floodLog(url: string): Promise<void> {
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

test('the stack starts, recovers from a kill of each process, and leaves none behind', async () => {
  stack = await startStack({ dataDir, durable: false });
  const { url, api, sandbox, postgres } = stack;
  expect(await isReady(url)).toBe(true);
  expect((await fetch(`${sandbox!.url}/mail/api/v1/messages`)).ok).toBe(true);
  expect((await stat(join(dataDir, 'sandbox/keys.json'))).mode & 0o777).toBe(0o600);

  const pid = api.pid;
  await api.kill9();
  await expect.poll(() => isReady(url)).toBe(true);
  expect(api.pid).not.toBe(pid);

  // The database restarts so fast that the shop may never be seen without it.
  const databasePid = postgres!.pid;
  process.kill(databasePid, 'SIGKILL');
  await expect.poll(() => postgres!.pid).not.toBe(databasePid);
  await expect.poll(() => isReady(url)).toBe(true);

  await stack.stop();
  expect(await isReady(url)).toBe(false);
  if (process.platform === 'linux') expect(await processesOf(dataDir)).toEqual([]);
});

test('a port in use is an error before any process starts', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const starting = startStack({ dataDir, env: { PORT: String(port) } });
  await expect(starting).rejects.toThrow(SettingsError);
  await expect(starting).rejects.toThrow(`PORT: port ${port} is in use`);
  other.close();
});

test('FO11 the error for an unknown database server names its setting', async () => {
  const url = (role: string) => `postgresql://fixpoint_${role}:x@nowhere.invalid/fixpoint`;
  const env = {
    DATABASE_URL: url('owner'),
    DATABASE_APP_URL: url('app'),
    DATABASE_CUSTOMER_URL: url('customer'),
    DATABASE_MEMBER_URL: url('member'),
  };
  const fault = await startStack({ dataDir, env }).catch((error: Error) => error);
  expect(fault).toBeInstanceOf(StartError);
  expect(operatorMessage(fault)).toMatch(
    /^api cannot start:\nDATABASE_URL names a database server that cannot be found.*nowhere\.invalid$/,
  );
});

test.runIf(process.platform === 'linux')(
  'FO14 every process exits when the start is killed, also while it logs (needs Linux)',
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
    const logging = floodLog(url);
    child.kill('SIGKILL');
    await logging;
    await expect.poll(() => processesOf(dataDir)).toEqual([]);
    expect(await isReady(url)).toBe(false);
  },
);
