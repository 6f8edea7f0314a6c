import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { basicEnv, root } from '@fixpoint/dev-stack/env.ts';
import { type Stack, startStack } from '@fixpoint/dev-stack/stack.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let dataDir: string;
let stack: Stack;
let node: ChildProcess | undefined;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'fixpoint-node-'));
  stack = await startStack({ dataDir, durable: false });
});
afterAll(async () => {
  if (node?.exitCode === null) {
    node.kill('SIGTERM');
    await once(node, 'exit');
  }
  await stack?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const env = () => ({ ...basicEnv(), DATA_DIR: dataDir });
const sql = (statement: string) =>
  promisify(execFile)(process.execPath, [join(root, 'scripts/sql.ts'), statement], { env: env() });

test('another node serves the database of the running shop', async () => {
  node = spawn(process.execPath, [join(root, 'scripts/node.ts'), 'api'], {
    env: env(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [first] = (await once(createInterface({ input: node.stdout! }), 'line')) as [string];
  const url = /http:\S+\d/.exec(first)![0];
  expect(url).not.toBe(stack.url);
  await expect
    .poll(() =>
      fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    .toBe(true);
});

test('npm run sql bypasses row-level security and cannot write', async () => {
  const { stdout } = await sql('SELECT count(*) AS plans FROM plan');
  expect(stdout).toMatch(/plans[\s\S]*[1-9]/);
  await expect(sql('DELETE FROM plan')).rejects.toThrow('read-only transaction');
});

test('the start of a pure worker does not wait for an address', async () => {
  const folder = join(dataDir, 'worker');
  const worker = await startStack({ dataDir: folder, durable: false, env: { ROLE: 'worker' } });
  try {
    await expect(fetch(`${worker.url}/readyz`)).rejects.toThrow();
    expect(worker.api.pid).toBeDefined();
  } finally {
    await worker.stop();
  }
});
