import { execFile, execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@fixpoint/dev-stack/ports.ts';
import { databaseSettings } from '@fixpoint/postgres/roles.ts';
import { startTemporary } from '@fixpoint/postgres/temporary.ts';
import { PASSWORD, until } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPrograms } from '../../src/adapters/backup/programs.ts';
import { startJobs } from '../../src/adapters/jobs/runner.ts';
import { startShop } from '../../src/compose/shop.ts';
import { openDatabase } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { readEnv } from '../../src/env/env.ts';
import { createLogger } from '../../src/log/logger.ts';
import { runCommand, runShop } from '../helpers/shop-command.ts';

/** A shop is backed up, goes on selling, is lost, and comes back on an empty machine. */
const run = promisify(execFile);
const dumps = await findPrograms('pg_dump');
const [server] = (await findPrograms('postgres')).filter(({ major }) =>
  dumps.some(dump => dump.major === major),
);
const absent = !server || !existsSync('/usr/bin/age') || !existsSync('/usr/bin/rsync');
if (absent)
  process.stderr.write('Backups are not tried. To try them: apt-get install age rsync postgresql\n');

const DAY_MS = 24 * 60 * 60_000;
const LIST = 'fixpoint-since-backup.json';
const MASTER_KEY = 'master.key';

describe.skipIf(absent)('on an operator’s PostgreSQL', () => {
  let folder: string;
  let identity: string;
  let recipient: string;
  let backups: string;
  /** Stands for another machine. */
  let copies: string;
  let before: Awaited<ReturnType<typeof startTemporary>>;
  let after: typeof before;
  let shop: TestShop;
  const at = (...names: string[]) => join(folder, ...names);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fixpoint-backup-'));
    identity = at('key.txt');
    backups = at('backups');
    copies = at('copies');
    execFileSync('age-keygen', ['-o', identity], { stdio: 'ignore' });
    recipient = /age1\w+/.exec(await readFile(identity, 'utf8'))![0];
    const programs = { folder: dirname(server!.path), major: server!.major };
    before = await startTemporary(programs);
    after = await startTemporary(programs);
    await migrate(before.urls.owner);
    // Creates the queues.
    await (await startJobs(before.urls.app, createLogger('silent'))).stop();
    shop = await startTestShop(
      {
        BACKUP_RECIPIENTS: recipient,
        BACKUP_DIR: backups,
        BACKUP_KEEP: '2',
        BACKUP_COPY_TO: `${copies}/`,
      },
      undefined,
      { url: before.adminUrl, urls: before.urls },
    );
  });
  afterAll(async () => {
    await shop?.stop();
    await before?.stop();
    await after?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const settings = () => ({
    ...databaseSettings(before.urls),
    MASTER_KEY_FILE: join(dirname(shop.agentSocket), MASTER_KEY),
    ...shop.sandbox.settings,
    PUBLIC_URL: shop.url,
    BACKUP_RECIPIENTS: recipient,
  });
  const emptyMachine = () => ({
    ...shop.sandbox.settings,
    ...databaseSettings(after.urls),
    DATA_DIR: at('data'),
  });
  const restore = (file: string, key = identity, ...more: string[]) =>
    runShop(emptyMachine(), 'restore', file, '--identity', key, ...more);
  const isEmpty = async () => {
    const { db, close } = openDatabase(after.adminUrl);
    const tables = await db.introspection.getTables();
    await close();
    return tables.length === 0 && !existsSync(at('data', MASTER_KEY));
  };
  const invoices = async () => {
    const rows = await shop.db
      .selectFrom('invoice')
      .select('number')
      .where('number', 'is not', null)
      .execute();
    return rows.map(({ number }) => number!).sort();
  };
  const profileOf = async (client: TestShop['client'], subscriptionId: string, name: string) => {
    const { data } = await client.subscription.addKey({ body: { subscriptionId, name } });
    const file = await client.subscription.downloadKey({ body: { subscriptionId, keyId: data!.id } });
    return file.data!.profile;
  };
  const pem = (profile: string, tag: string) =>
    new RegExp(`<${tag}>\\s*([\\s\\S]*?)</${tag}>`).exec(profile)![1]!;

  let file: string;
  let alice: Awaited<ReturnType<TestShop['customer']>>;
  let bob: typeof alice;
  let profile: string;
  let lastNumber: string;

  test('OP2 the scheduled task makes an encrypted backup that only its owner may read', async () => {
    alice = await shop.customer('alice', 'plus');
    bob = await shop.customer('bob');
    profile = await profileOf(alice.client, alice.subscriptionId, 'laptop');
    await shop.sweep();
    const [row] = await until(async () => {
      const rows = await shop.db
        .selectFrom('backup')
        .selectAll()
        .where('copied_at', 'is not', null)
        .execute();
      return rows.length > 0 && rows;
    }, 'a backup');
    file = join(copies, row!.file);
    expect(row!.file).toMatch(/^fixpoint-\d{8}T\d{6}Z\.backup\.age$/);
    expect((await stat(join(backups, row!.file))).mode & 0o777).toBe(0o600);
    expect((await readFile(file)).subarray(0, 22).toString()).toBe('age-encryption.org/v1\n');
    expect((await readdir(copies)).sort()).toEqual([row!.file, LIST]);
    // What a restore without this program needs.
    const { stdout } = await run('age', ['--decrypt', '--identity', identity, file], {
      encoding: 'buffer',
      maxBuffer: 1e9,
    });
    const end = stdout.indexOf('\n');
    const header = JSON.parse(stdout.subarray(0, end).toString()) as { masterKey: string; shopAt: string };
    expect(header.masterKey).toBe(await readFile(settings().MASTER_KEY_FILE, 'utf8'));
    expect(stdout.subarray(end + 1, end + 6).toString()).toBe('PGDMP');
  });

  test('verify restores it elsewhere and finds books that balance', async () => {
    const { stdout } = await runCommand({}, 'verify', file, '--identity', identity);
    expect(stdout).toContain('2 customers, 2 subscriptions');
    expect(stdout).toContain('The master key in it decrypts the secrets.');
    expect(stdout).toContain('The books balance.\nThe backup is good.');
  });

  test('the shop goes on: it sells, and bob deletes his account and is erased', async () => {
    await shop.customer('dave');
    lastNumber = (await invoices()).at(-1)!;
    await bob.client.subscription.cancelSubscription({
      body: { id: bob.subscriptionId, reasons: ['other'] },
    });
    const left = await bob.client.auth.deleteAccount({
      body: { action: 'delete', currentPassword: PASSWORD },
    });
    expect(left.code).toBe('0000');
    await shop.sweep();
    const list = JSON.parse(await readFile(join(backups, LIST), 'utf8')) as { deletedAccounts: string[] };
    expect(list.deletedAccounts).toHaveLength(1);
    expect(await readFile(join(backups, LIST), 'utf8')).not.toContain('@');
    for (let day = 0; day < 3; day += 1) {
      shop.clock.advance(DAY_MS + 60 * 60_000);
      await shop.sweep();
      await until(
        async () => (await readdir(copies)).filter(name => name.endsWith('.age')).length === day + 2,
        'the next copy',
      );
    }
    const erased = await shop.db
      .selectFrom('customer')
      .select('email')
      .where('status', '=', 'deleted')
      .execute();
    expect(erased).toEqual([{ email: expect.stringMatching(/@deleted\.invalid$/) }]);
  });

  test('a wrong key, a damaged file, another file and another machine’s data are refused, and nothing is written', async () => {
    await mkdir(at('broken'));
    // Retention has deleted the first backup on the machine that is lost.
    expect((await readdir(backups)).sort()).toEqual([...(await readdir(copies)).sort().slice(-3, -1), LIST]);
    await copyFile(join(copies, LIST), at('broken', LIST));
    const broken = async (name: string, content: Buffer) => {
      await writeFile(at('broken', name), content);
      return at('broken', name);
    };
    const good = await readFile(file);
    execFileSync('age-keygen', ['-o', at('other.txt')], { stdio: 'ignore' });
    const refused = async (what: Promise<{ code: number; stderr: string }>, why: string) => {
      expect(await what).toMatchObject({ code: 1, stderr: expect.stringContaining(why) });
      expect(await isEmpty(), why).toBe(true);
    };
    await refused(restore(file, at('other.txt')), 'The key cannot decrypt');
    const flipped = Buffer.from(good);
    flipped[good.length - 100]! ^= 1;
    await refused(restore(await broken('flipped', flipped)), 'is damaged');
    await refused(restore(await broken('short', good.subarray(0, good.length - 5_000))), 'is damaged');
    await refused(
      restore(await broken('text', Buffer.from('no backup'))),
      'is damaged, incomplete or no backup',
    );
    const encrypted = async (name: string, text: string) => {
      await writeFile(at('plain'), text);
      await run('age', ['--encrypt', '--recipient', recipient, '--output', at('broken', name), at('plain')]);
      return at('broken', name);
    };
    await refused(restore(await encrypted('other', 'hello\n')), 'is not a backup of Fixpoint');
    const newer = JSON.stringify({ format: 'fixpoint-backup', layout: 2, version: '9.0.0' });
    await refused(restore(await encrypted('newer', `${newer}\n`)), 'newer version of Fixpoint (9.0.0)');
    await rm(at('broken', LIST));
    await refused(restore(await broken('alone', good)), 'is not beside');
    const onTheShop = await runShop(settings(), 'restore', file, '--identity', identity);
    expect(onTheShop).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('into an empty database only'),
    });
  });

  test('a restore brings the shop back on an empty machine, and it does not start before staff has settled the money', async () => {
    const restored = await restore(file);
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    process.stdout.write(restored.stdout.replace(/^(?!R[PT]O).*\n/gm, ''));
    expect(restored.stdout).toMatch(/^RPO: .* lost\.$/m);
    expect(restored.stdout).toMatch(/^RTO: restored in \d+ /m);
    expect(restored.stdout).toContain('Deleted 1 accounts again');
    expect((await stat(at('data', MASTER_KEY))).mode & 0o777).toBe(0o600);
    expect(await readFile(at('data', MASTER_KEY), 'utf8')).toBe(
      await readFile(settings().MASTER_KEY_FILE, 'utf8'),
    );

    const { db, close } = openDatabase(after.adminUrl);
    const customers = await db.selectFrom('customer').select(['email', 'status']).orderBy('email').execute();
    expect(customers).toEqual([
      { email: 'alice@example.com', status: 'active' },
      { email: expect.stringMatching(/@deleted\.invalid$/), status: 'deleted' },
    ]);
    const ended = await db.selectFrom('subscription').select(['customer_id', 'status']).execute();
    expect(ended.map(({ status }) => status).sort()).toEqual(['active', 'expired']);
    const traces = await db
      .selectFrom('shop_order')
      .select('email')
      .where('email', 'like', 'bob@%')
      .execute();
    expect(traces).toEqual([]);

    const port = await freePort();
    const env = readEnv({
      ...emptyMachine(),
      PORT: String(port),
      WEB_DIR: folder,
      LOG_LEVEL: 'error',
      LIMITS_SCALE: '1000',
      MAX_EVENT_LOOP_DELAY: '60000',
    });
    const start = () => startShop(env, createLogger('silent'), shop.clock);
    await expect(start()).rejects.toThrow(/was restored from a backup.*restore finish/s);
    expect((await runShop(emptyMachine(), 'books', '--database')).stdout).toBe('The books balance.\n');
    expect((await runShop(emptyMachine(), 'restore', 'finish', '--yes')).code).toBe(0);
    expect((await runShop(emptyMachine(), 'audit', 'verify')).code).toBe(0);

    const again = await start();
    try {
      const client = createClient(`http://127.0.0.1:${port}`);
      // Purchases are blocked.
      const order = await client.order.getMetaData({ body: { productId: 'any', currency: 'THB' } });
      expect(order.code).toBe('9904');
      const { token } = await client.auth.login({ body: { email: alice.email, password: PASSWORD } });
      const own = createClient(`http://127.0.0.1:${port}`, token);
      // An earlier file connects: the same authority signs the new ones, and the server's.
      const now = await profileOf(own, alice.subscriptionId, 'phone');
      expect(pem(now, 'ca')).toBe(pem(profile, 'ca'));
      const authority = new X509Certificate(pem(now, 'ca'));
      expect(new X509Certificate(pem(profile, 'cert')).verify(authority.publicKey)).toBe(true);
      const keys = await own.subscription.getSubscription({ query: { id: alice.subscriptionId } });
      expect(keys.data!.keys.map(({ name }) => name)).toEqual(['laptop', 'phone']);
      expect((await client.auth.login({ body: { email: bob.email, password: PASSWORD } })).code).not.toBe(
        '0000',
      );
    } finally {
      await again.close();
    }
    // Documents continue behind every number that a customer may have.
    const series = await db.selectFrom('number_series').select(['series', 'last', 'lost']).execute();
    const [year = '', serial] = lastNumber.split('-');
    const { last, lost } = series.find(({ series: name }) => name === year)!;
    expect(last).toBeGreaterThan(Number(serial));
    expect(lost).toBeGreaterThan(0);
    await close();
  });

  test('the command makes a backup for an upgrade, and one without the master key that names what it needs', async () => {
    const { stdout } = await runCommand(settings(), 'backup', '--to', at('upgrade'), '--without-master-key');
    expect(stdout).toContain('It does not contain the master key');
    const [name] = (await readdir(at('upgrade'))).filter(each => each.endsWith('.age'));
    const verified = await runCommand({}, 'verify', at('upgrade', name!), '--identity', identity);
    expect(verified.stdout).toContain('It contains no master key');
    await writeFile(at('file'), '');
    const failed = await runShop(settings(), 'backup', '--to', at('file'));
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('is not a folder') });
    const { BACKUP_RECIPIENTS: _, ...rest } = settings();
    const noKeys = await runShop(rest, 'backup', '--to', at('upgrade'));
    expect(noKeys).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('BACKUP_RECIPIENTS is not set'),
    });
    expect((await readdir(backups)).filter(each => each.endsWith('.age'))).toHaveLength(2);
  });
});
