import { verify } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type NoLogsPage, noLogsReport, type SearchResult } from '@fixpoint/contract/no-logs.ts';
import { databaseSettings } from '@fixpoint/postgres/roles.ts';
import { until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../src/adapters/database/database.ts';
import { asApplication } from '../src/adapters/database/scope.ts';
import type { Said } from '../src/cli/command.ts';
import { proveNoLogs } from '../src/cli/prove-no-logs.ts';
import { readCommandEnv } from '../src/env.ts';

/** The operator's proof: what a host's search found is judged, the shop is searched too, and the result is published. */
let folder: string;
let shop: TestShop;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixpoint-no-logs-'));
  shop = await startTestShop();
});
afterAll(async () => {
  await shop?.stop();
  await rm(folder, { recursive: true, force: true });
});

const CANARY = '198.51.100.117';
const clean = (): SearchResult => ({
  searchedAt: new Date().toISOString(),
  pauseSeconds: 120,
  ...{ files: 41_000, fileBytes: 3e9, processes: 62, memoryBytes: 4e8 },
  configuration: 'a1'.repeat(32),
  marks: { addresses: [CANARY, '192.0.2.37'], names: ['k7q2m9x4tz0b'] },
  findings: [],
  unread: [],
});

async function prove(found: unknown, ...args: string[]): Promise<Said> {
  const file = join(folder, 'found.json');
  await writeFile(file, JSON.stringify(found));
  const { db, close } = openDatabase(shop.databaseUrls.app);
  try {
    const env = readCommandEnv({
      ...databaseSettings(shop.databaseUrls),
      DATA_DIR: dirname(shop.agentSocket),
    });
    const context = { db, env, say: () => {}, ask: async () => false };
    const answer = await asApplication(() =>
      proveNoLogs.run(context, ['--host', 'bkk-1', '--found', file, ...args]),
    );
    return typeof answer === 'string' ? { says: answer, bad: false } : answer;
  } finally {
    await close();
  }
}

const published = async () => (await (await fetch(`${shop.url}/no-logs.json`)).json()) as NoLogsPage;
/** A report that says this is there: within seconds, for the page is kept in memory. */
const publishedWith = (words: string) =>
  until(async () => {
    const page = await published();
    return page.reports.some(({ report }) => report.includes(words)) && page;
  }, 'the report is published');

test('S81 what keeps a mark is not published: neither a host, nor one that was not wholly searched, nor the shop', async () => {
  const finding = { place: 'disk', where: '/var/log/openvpn.log', what: `the address ${CANARY}, as text` };
  const kept = await prove({ ...clean(), findings: [finding] });
  expect(kept).toMatchObject({ bad: true, says: expect.stringContaining('/var/log/openvpn.log') });
  const half = await prove({ ...clean(), unread: ['conntrack --dump'] });
  expect(half).toMatchObject({ bad: true, says: expect.stringContaining('not searched: conntrack --dump') });
  // A word that is in the tables of this shop, as an address that it had written down would be.
  const words = { addresses: [CANARY, '203.0.113.11'], names: ['k7q2m9x4tz0b'] };
  const ours = await prove({ ...clean(), marks: words });
  expect(ours).toMatchObject({ bad: true, says: expect.stringContaining('table public.static_ip') });
  await expect(prove({ ...clean(), searchedAt: '2026-01-01T00:00:00.000Z' })).rejects.toThrow(
    'older than a day',
  );
  await expect(prove('nothing')).rejects.toThrow('is not what the search of a host prints');
  expect((await published()).reports).toEqual([]);
});

test('S81 a clean search is published with the shop’s signature, and without the marks', async () => {
  const config = `${shop.url}/config.json`;
  expect(await prove(clean(), '--ask', config)).toMatchObject({ bad: false });
  const { publicKey, reports } = await publishedWith('"pauseSeconds":120');
  expect(reports).toHaveLength(1);
  const { report, signature } = reports[0]!;
  const signed = Buffer.from(signature, 'base64');
  expect(verify(null, Buffer.from(report), publicKey, signed)).toBe(true);
  expect(verify(null, Buffer.from(report.replace('41000', '41001')), publicKey, signed)).toBe(false);
  expect(report).not.toContain(CANARY);
  const said = noLogsReport.parse(JSON.parse(report));
  expect(said).toMatchObject({ host: 'bkk-1', pauseSeconds: 120, marks: { addresses: 2, names: 1 } });
  expect(said.shop.rows).toBeGreaterThan(100);
  expect(said.shop.answers).toEqual([config]);

  // The newest one of a host takes the place of the one before.
  await prove({ ...clean(), pauseSeconds: 300 });
  expect((await publishedWith('"pauseSeconds":300')).reports).toHaveLength(1);
});

test('whoever asks for the proofs again and again is answered from memory', async () => {
  await publishedWith('"host":"bkk-1"');
  await shop.db.updateTable('host').set({ no_logs_report: null, no_logs_signature: null }).execute();
  expect((await published()).reports).toHaveLength(1);
  await until(async () => (await published()).reports.length === 0, 'the report is gone');
});
