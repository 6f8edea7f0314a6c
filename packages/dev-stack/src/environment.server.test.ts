import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepSandboxPorts, sandboxPorts } from './environment.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'fixpoint-ports-'));
  await mkdir(join(dataDir, 'sandbox'));
});
afterEach(() => rm(dataDir, { recursive: true }));

test('FO12 stand-ins listen where they did at the last start, unless somebody else does now', async () => {
  const first = await sandboxPorts(dataDir, false);
  await keepSandboxPorts(dataDir, first);
  // Also where the usual ones are free again.
  expect(await sandboxPorts(dataDir, true)).toEqual(first);

  const other = createServer().listen(first.port, '127.0.0.1');
  await once(other, 'listening');
  const second = await sandboxPorts(dataDir, true);
  expect(second.port).not.toBe(first.port);
  expect(second.smtpPort).toBe(first.smtpPort);
  other.close();
});
