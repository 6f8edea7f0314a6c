import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sandboxPorts, saveSandboxPorts } from './environment.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'fixpoint-ports-'));
  await mkdir(join(dataDir, 'sandbox'));
});
afterEach(() => rm(dataDir, { recursive: true }));

test('FO12 the sandbox uses the ports of its last start unless another program has taken them', async () => {
  const first = await sandboxPorts(dataDir, false);
  await saveSandboxPorts(dataDir, first);
  // Even when the default ports are free again.
  expect(await sandboxPorts(dataDir, true)).toEqual(first);

  const other = createServer().listen(first.port, '127.0.0.1');
  await once(other, 'listening');
  const second = await sandboxPorts(dataDir, true);
  expect(second.port).not.toBe(first.port);
  expect(second.smtpPort).toBe(first.smtpPort);
  other.close();
});
