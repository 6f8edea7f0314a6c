import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DesiredSubscription } from '@fixpoint/contract/agent.ts';
import { afterAll, expect, it } from 'vitest';
import { deny, slotPaths } from './folder.ts';

const runDir = mkdtempSync(join(tmpdir(), 'fixpoint-'));
afterAll(() => rmSync(runDir, { recursive: true }));

it('S76 a folder returns whose certificates it refuses that it did not refuse before', () => {
  const { clients, revoked } = slotPaths(runDir, 1);
  for (const folder of [clients, revoked]) mkdirSync(folder, { recursive: true });
  const refuses = (...serials: string[]) =>
    deny(runDir, {
      slot: 1,
      keys: [],
      revoked: serials.map(serial => ({ keyId: `k_${serial}`, serial })),
    } as unknown as DesiredSubscription);
  expect(refuses('11')).toEqual(['k_11']);
  expect(refuses('11', '12')).toEqual(['k_12']);
  expect(refuses('11', '12')).toEqual([]);
  expect(readdirSync(revoked).sort()).toEqual(['11', '12']);
});
