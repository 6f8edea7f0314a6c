import { spawn } from 'node:child_process';
import { randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type NoLogsPage, noLogsReport, type SearchResult } from '@fixpoint/contract/no-logs.ts';
import { freePort } from '@fixpoint/dev-stack/ports.ts';
import { type Postgres, startPostgres } from '@fixpoint/postgres/postgres.ts';
import { databaseSettings } from '@fixpoint/postgres/roles.ts';
import { until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runShop } from '../helpers/shop-command.ts';

type Said = { bad: boolean; says: string };

/** prove-no-logs: judges the search of a host, searches the shop, and publishes the result. */
let folder: string;
let postgres: Postgres;
let shop: TestShop;
let metricsPort: number;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixpoint-no-logs-'));
  // A database server of its own, because its files are searched completely.
  postgres = await startPostgres({ dataDir: folder, durable: false });
  metricsPort = await freePort();
  const database = { url: postgres.adminUrl, urls: postgres.urls };
  shop = await startTestShop({ METRICS_PORT: String(metricsPort) }, undefined, database);
});
afterAll(async () => {
  await shop?.stop();
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Option for a database on another machine. */
const TABLES_ALONE = ['--database', 'remote'];
const CANARY = '198.51.100.117';
/** A mark that no canary ever had. */
const unseen = () => {
  const [a, b, c, d] = randomBytes(4);
  return { addresses: [`198.18.${a}.${b}`, `198.19.${c}.${d}`], names: [randomBytes(8).toString('hex')] };
};
const clean = (): SearchResult => ({
  searchedAt: new Date().toISOString(),
  pauseSeconds: 120,
  files: 41_000,
  fileBytes: 3e9,
  processes: 62,
  memoryBytes: 4e8,
  configuration: 'a1'.repeat(32),
  marks: unseen(),
  findings: [],
  unread: [],
});

const prove = (found: unknown, ...args: string[]): Promise<Said> => proveOf({}, found, ...args);

/** @param settings override those of the shop */
async function proveOf(settings: Record<string, string>, found: unknown, ...args: string[]): Promise<Said> {
  // Outside the folders that are searched.
  const file = `${folder}-found.json`;
  await writeFile(file, JSON.stringify(found));
  const env = {
    ...databaseSettings(shop.databaseUrls),
    DATA_DIR: dirname(shop.agentSocket),
    PUBLIC_URL: shop.url,
    METRICS_PORT: String(metricsPort),
    ...settings,
  };
  const { code, stdout, stderr } = await runShop(env, 'no-logs', '--host', 'bkk-1', '--found', file, ...args);
  if (stderr) throw new Error(stderr);
  return { bad: code !== 0, says: stdout };
}

const published = async () => (await (await fetch(`${shop.url}/no-logs.json`)).json()) as NoLogsPage;
/** Public answers and metrics, which are searched without being named. */
function answersOf(shopUrl: string, monitoring: string): string[] {
  const calls = ['getMaintainerStatus', 'getTerm', 'getPolicy', 'getAllPlan', 'getVendor'];
  const pages = ['config.json', 'openapi.json', 'no-logs.json', ...calls.map(call => `v1/order/${call}`)];
  return [
    ...['metrics', 'drift'].map(page => `${monitoring}/${page}`),
    ...pages.map(page => `${shopUrl}/${page}`),
  ];
}
/** Waits for a published report with this text. The page is cached for seconds. */
const publishedWith = (words: string) =>
  until(async () => {
    const page = await published();
    return page.reports.some(({ report }) => report.includes(words)) && page;
  }, 'the report is published');

test('S81 no proof is published of a host with a mark, an incomplete search, or a shop with a mark', async () => {
  const finding = { place: 'disk', where: '/var/log/openvpn.log', what: `the address ${CANARY}, as text` };
  const refused = await prove({ ...clean(), findings: [finding] });
  expect(refused).toMatchObject({ bad: true, says: expect.stringContaining('/var/log/openvpn.log') });
  const half = await prove({ ...clean(), unread: ['conntrack --dump'] });
  expect(half).toMatchObject({ bad: true, says: expect.stringContaining('not searched: conntrack --dump') });
  // A word that is in the tables of the shop, as a logged address would be.
  const words = { addresses: [CANARY, '203.0.113.11'], names: ['k7q2m9x4tz0b'] };
  const ours = await prove({ ...clean(), marks: words }, ...TABLES_ALONE);
  expect(ours).toMatchObject({ bad: true, says: expect.stringContaining('table public.static_ip') });
  await expect(prove({ ...clean(), searchedAt: '2026-01-01T00:00:00.000Z' })).rejects.toThrow(
    'older than a day',
  );
  await expect(prove('nothing')).rejects.toThrow('is not the output of the search of a host');
  expect((await published()).reports).toEqual([]);
});

test('S81 a clean search is published with the signature of the shop and without the marks', async () => {
  const page = `${shop.url}/docs`;
  const found = clean();
  expect(await prove(found, '--ask', page)).toMatchObject({
    bad: false,
    says: expect.stringContaining('IPv6 was not tried'),
  });
  const { publicKey, reports } = await publishedWith('"pauseSeconds":120');
  expect(reports).toHaveLength(1);
  const { report, signature } = reports[0]!;
  const signed = Buffer.from(signature, 'base64');
  expect(verify(null, Buffer.from(report), publicKey, signed)).toBe(true);
  expect(verify(null, Buffer.from(report.replace('41000', '41001')), publicKey, signed)).toBe(false);
  for (const mark of [...found.marks.addresses, ...found.marks.names]) expect(report).not.toContain(mark);
  const proof = noLogsReport.parse(JSON.parse(report));
  expect(proof).toMatchObject({ host: 'bkk-1', pauseSeconds: 120, marks: { addresses: 2, names: 1 } });
  expect(proof.shop.rows).toBeGreaterThan(100);
  // Its write-ahead log alone has 16 MB.
  expect(proof.shop.databaseBytes).toBeGreaterThan(2e7);
  expect(proof.shop.ownBytes).toBeGreaterThan(0);
  for (const answer of [page, ...answersOf(shop.url, `http://127.0.0.1:${metricsPort}`)])
    expect(proof.shop.answers).toContain(answer);

  // The latest proof of a host replaces the one before.
  const byIPv6 = { ...unseen(), addresses: ['198.18.0.1', '198.19.0.1', '2001:db8:0:1::20'] };
  const { says } = await prove({ ...clean(), pauseSeconds: 300, marks: byIPv6 }, ...TABLES_ALONE);
  expect(says).not.toContain('IPv6');
  expect((await publishedWith('"pauseSeconds":300')).reports).toHaveLength(1);
});

test('S81 the files of the database are searched with its write-ahead log and linked folders', async () => {
  const data = join(folder, 'postgres/cluster');
  const found = clean();
  const [word = ''] = found.marks.names;
  // Inserted and deleted: no row has it.
  await shop.db.insertInto('provider').values({ id: word, name: word }).execute();
  await shop.db.deleteFrom('provider').where('id', '=', word).execute();
  // This server runs without fsync.
  await sql`checkpoint`.execute(shop.db);
  const elsewhere = await mkdtemp(join(tmpdir(), 'fixpoint-other-'));
  await writeFile(join(elsewhere, 'table'), word);
  await symlink(elsewhere, join(data, 'pg_tblspc/1'));
  const { bad, says } = await prove(found);
  await rm(join(data, 'pg_tblspc/1'));
  await rm(elsewhere, { recursive: true });
  expect(bad).toBe(true);
  expect(says).toMatch(new RegExp(`${data}/pg_wal/[0-9A-F]{24}: the name ${word}, as text`));
  expect(says).toContain(`${elsewhere}/table: the name ${word}, as text`);
  expect(says).not.toContain('table public.');
});

test('S81 the folder of the shop, its public answers, and database files elsewhere are searched', async () => {
  const found = clean();
  const [word = ''] = found.marks.names;
  const [address = ''] = found.marks.addresses;
  // Acts for the shop and its metrics. Headers are searched like bodies.
  const server = createServer((request, answer) => {
    answer.writeHead(200, request.url === '/headers' ? { 'x-seen': address } : {});
    answer.end(request.url === '/headers' ? 'hello' : `from ${word}`);
  });
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const own = join(dirname(shop.agentSocket), 'deep');
  await mkdir(own);
  await writeFile(join(own, 'kept'), `from ${word}\n`);
  // Like a server with a log open outside its own folder.
  const elsewhere = await mkdtemp(join(tmpdir(), 'fixpoint-other-'));
  const log = join(elsewhere, 'log');
  await writeFile(log, `from ${word}\n`);
  const writer = spawn('tail', ['-f', log], { cwd: join(folder, 'postgres/cluster'), stdio: 'pipe' });
  await once(writer.stdout, 'data');
  const settings = { PUBLIC_URL: url, METRICS_PORT: String(port) };
  const { bad, says } = await proveOf(settings, found, '--ask', `${url}/headers,${url}/page`);
  writer.kill();
  server.close();
  await Promise.all([own, elsewhere].map(each => rm(each, { recursive: true })));
  expect(bad).toBe(true);
  const marked = [join(own, 'kept'), log, `${url}/page`, ...answersOf(url, url)];
  const lines = says.split('\n').map(line => line.trim());
  expect(lines).toEqual(expect.arrayContaining(marked.map(where => `${where}: the name ${word}, as text`)));
  expect(lines).toContain(`${url}/headers: the address ${address}, as text`);
});

test('S81 a database whose files are elsewhere does not count as searched', async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), 'fixpoint-other-'));
  await expect(prove(clean(), '--database', elsewhere)).rejects.toThrow('is not the data directory of');
  await rm(elsewhere, { recursive: true });
  // Only with an explicit option, and the report says so.
  expect(await prove(clean(), ...TABLES_ALONE)).toMatchObject({ bad: false });
  const { report } = (await publishedWith('"databaseBytes":0')).reports[0]!;
  expect(noLogsReport.parse(JSON.parse(report)).shop.rows).toBeGreaterThan(100);
});

test('a busy shop is asked again, and a URL that refuses is named with its status', async () => {
  let asked = 0;
  const page = createServer((request, answer) => {
    const status = request.url === '/gone' ? 404 : asked++ === 0 ? 503 : 200;
    answer.writeHead(status).end('hello');
  });
  await new Promise<void>(listening => page.listen(0, '127.0.0.1', listening));
  const { port } = page.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  expect(await prove(clean(), ...TABLES_ALONE, '--ask', `${url}/busy`)).toMatchObject({ bad: false });
  expect(asked).toBe(2);
  await expect(prove(clean(), ...TABLES_ALONE, '--ask', `${url}/gone`)).rejects.toThrow(
    '/gone does not answer (status 404)',
  );
  page.close();
});

test('repeated requests for the proofs are answered from memory', async () => {
  await publishedWith('"host":"bkk-1"');
  await shop.db.updateTable('host').set({ no_logs_report: null, no_logs_signature: null }).execute();
  expect((await published()).reports).toHaveLength(1);
  await until(async () => (await published()).reports.length === 0, 'the report is gone');
});
