import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DesiredSubscription } from '@fixpoint/contract/agent.ts';
import { afterAll, expect, it } from 'vitest';
import { allow, blockingKeys, deny, slotPaths } from './folder.ts';

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

it('K23 a folder knows whose clients are told to reconnect when they end, also for the next agent', () => {
  const { clients, revoked } = slotPaths(runDir, 2);
  for (const folder of [clients, revoked]) mkdirSync(folder, { recursive: true });
  const s = {
    slot: 2,
    keys: [
      { id: 'k_plain1', address: 2 },
      { id: 'k_block1', address: 3, blockWhenEnded: true },
    ],
    revoked: [],
  } as unknown as DesiredSubscription;
  allow(runDir, s);
  expect(blockingKeys(runDir, 2)).toEqual(['k_block1']);
  // Openvpn reads the same addresses.
  expect(readFileSync(join(clients, 'k_block1'), 'utf8')).toMatch(
    /^ifconfig-push 10\.64\.2\.3 255\.255\.255\.0\n#/,
  );
  deny(runDir, { ...s, keys: [] });
  expect(blockingKeys(runDir, 2)).toEqual([]);
});
