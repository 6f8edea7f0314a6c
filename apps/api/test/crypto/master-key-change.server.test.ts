import { copyFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@fixpoint/dev-stack/ports.ts';
import { databaseSettings } from '@fixpoint/postgres/roles.ts';
import { PASSWORD } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeMasterKey } from '../../src/adapters/master-key/change.ts';
import { openMasterKey } from '../../src/adapters/master-key/ring.ts';
import { reEncryptAllSecrets } from '../../src/compose/sealed.ts';
import { type Shop, startShop } from '../../src/compose/shop.ts';
import { readEnv } from '../../src/env/env.ts';
import { createLogger } from '../../src/log/logger.ts';
import { runCommand, startCommand } from '../helpers/shop-command.ts';
import { whileLocked } from '../helpers/while-locked.ts';

/** A shop on two machines, each with a copy of the master key, while the key is changed. */
let folder: string;
let shop: TestShop;
let other: { url: string; node: Shop };
let alice: Awaited<ReturnType<TestShop['customer']>>;
let bob: Awaited<ReturnType<TestShop['customer']>>;
let secret: string;
const file = (name: string) => join(folder, name);
const here = 'here.key';
const there = 'there.key';

const startNode = async (key: string): Promise<{ url: string; node: Shop }> => {
  const port = await freePort();
  const settings = readEnv({
    ...databaseSettings(shop.databaseUrls),
    ...shop.sandbox.settings,
    PORT: String(port),
    DATA_DIR: folder,
    WEB_DIR: folder,
    MASTER_KEY_FILE: file(key),
    ROLE: 'api',
    LOG_LEVEL: 'error',
    LIMITS_SCALE: '1000',
    MAX_EVENT_LOOP_DELAY: '60000',
  });
  return {
    url: `http://127.0.0.1:${port}`,
    node: await startShop(settings, createLogger('silent'), shop.clock),
  };
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixpoint-change-'));
  shop = await startTestShop({ MASTER_KEY_FILE: file(here) }, undefined, undefined, ['jobs']);
  await copyFile(file(here), file(there));
  other = await startNode(there);
  [alice, bob] = [await shop.customer('alice', 'plus'), await shop.customer('bob', 'plus')];
  secret = (await alice.client.account.beginTotp()).data!.secret;
  await alice.client.account.confirmTotp({ body: { code: appCode() } });
});
afterAll(async () => {
  await other?.node.close();
  await shop?.stop();
  await rm(folder, { recursive: true, force: true });
});

const appCode = () =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: shop.clock.now().getTime() });
const settings = () => ({
  ...databaseSettings(shop.databaseUrls),
  MASTER_KEY_FILE: file(here),
  ...shop.sandbox.settings,
});
const command = (...args: string[]) => runCommand(settings(), 'master-key', ...args);
/** Runs the command without the pause for values that nodes are sealing, because there are none. */
const change = () =>
  changeMasterKey({
    db: shop.db,
    path: file(here),
    moveAll: reEncrypt => reEncryptAllSecrets(shop.db, reEncrypt),
    today: '2026-01-31',
    say: () => {},
    settle: async () => {},
  });
const linesOf = async (name: string) => (await readFile(file(name), 'utf8')).trim().split('\n');

/** Every column of the database with sealed values. */
const sealedColumns = async () => {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = 'public' and column_name like '%sealed' order by 1, 2`.execute(shop.db);
  return rows;
};
const sealedValues = async () => {
  const values = new Map<string, string[]>();
  for (const { table, column } of await sealedColumns()) {
    const { rows } = await sql<{ value: Buffer }>`
      select ${sql.ref(column)} as value from ${sql.table(table)} where ${sql.ref(column)} is not null`.execute(
      shop.db,
    );
    values.set(
      `${table}.${column}`,
      rows.map(({ value }) => value.toString('hex')),
    );
  }
  return values;
};

/** Uses a sealed secret of each kind at a node. The app's code changes every half a minute. */
let names = 0;
async function worksAt(url: string, app?: 'app'): Promise<void> {
  for (const customer of [alice, bob]) {
    const as = createClient(url, customer.token);
    names += 1;
    const added = await as.subscription.addKey(
      { body: { subscriptionId: customer.subscriptionId, name: `device-${names}` } },
      { 'idempotency-key': `key-${names}` },
    );
    const of = { subscriptionId: customer.subscriptionId, keyId: added.data!.id };
    // Its authority signs the certificate; the secret shared with the host is unsealed for the file.
    expect((await as.subscription.downloadKey({ body: of })).code, customer.email).toBe('0000');
    await as.subscription.deleteKey({ body: of });
  }
  if (!app) return;
  shop.clock.advance(31_000);
  const client = createClient(url, alice.token);
  expect((await client.account.stepUp({ body: { method: 'totp', code: appCode() } })).code).toBe('0000');
}

test('S80 the master key is changed while both nodes work; a killed change is completed by another run', async () => {
  const [k1] = await linesOf(here);
  // Includes the idempotency record of a call.
  await worksAt(other.url);
  const before = await sealedValues();
  for (const [name, values] of before) expect(values, name).not.toEqual([]);
  expect([...before.keys()]).toEqual([
    'assignment.server_key_sealed',
    'host_authority.ca_key_sealed',
    'host_authority.tls_key_sealed',
    'idempotency_record.answer_sealed',
    'master_key.root_sealed',
    'subscription_identity.ca_key_sealed',
    'subscription_identity.tls_crypt_sealed',
    'totp.secret_sealed',
  ]);
  await worksAt(other.url, 'app');

  await command('prepare');
  expect(await linesOf(here)).toEqual([k1, expect.not.stringContaining(k1!)]);
  const [, k2] = await linesOf(here);
  expect((await command('prepare')).stdout).toContain('already');
  expect(await linesOf(here)).toEqual([k1, k2]);
  expect((await stat(file(here))).mode & 0o777).toBe(0o600);
  // Nothing is sealed with the new key before the change.
  const prepared = await sealedValues();
  for (const [name, values] of before)
    expect(prepared.get(name), name).toEqual(expect.arrayContaining(values));
  await copyFile(file(here), file(there));

  // The last subscription; the command stops there and is killed.
  const last = [alice.subscriptionId, bob.subscriptionId].sort().at(-1)!;
  const dying = startCommand(settings(), 'master-key', 'change');
  const died = dying.then(
    () => 'ended',
    () => 'died',
  );
  const outcome = await whileLocked(
    shop,
    `select from subscription_identity where subscription_id = '${last}' for update`,
    () => died,
    async () => {
      await Promise.all([worksAt(shop.url), worksAt(other.url)]);
      dying.child.kill('SIGKILL');
      await died;
      await worksAt(other.url, 'app');
    },
  );
  expect(outcome).toBe('died');
  expect(await linesOf(here)).toEqual([k1, k2]);
  const half = await sealedValues();
  expect(half.get('totp.secret_sealed')).not.toEqual(before.get('totp.secret_sealed'));
  expect(half.get('assignment.server_key_sealed')).toEqual(before.get('assignment.server_key_sealed'));
  // Bought meanwhile and sealed with either key, it works before and after.
  const carol = await shop.customer('carol');
  await expect(command('prepare')).rejects.toMatchObject({ stderr: expect.stringContaining('in progress') });

  const changing = command('change');
  await Promise.all([
    changing,
    (async () => {
      for (let looks = 0; looks < 5; looks++) await worksAt([shop.url, other.url][looks % 2]!);
    })(),
  ]);
  expect((await changing).stdout).toContain('Continuing an interrupted change.');
  expect(await linesOf(here)).toEqual([k2]);
  const [aside] = /\S+here\.key\.before-\S+(?=\.)/.exec((await changing).stdout)!;
  expect((await readFile(aside, 'utf8')).trim()).toBe(k1);
  expect((await stat(aside)).mode & 0o777).toBe(0o600);

  // Every sealed value has changed, and the earlier key opens none.
  const after = await sealedValues();
  for (const [name, values] of before)
    for (const value of values) expect(after.get(name), name).not.toContain(value);
  await writeFile(file('k1.key'), `${k1}\n`);
  await expect(openMasterKey(shop.db, file('k1.key'))).rejects.toThrow('belongs to another database');
  await worksAt(other.url, 'app');
  await worksAt(shop.url);
  const key = await carol.client.subscription.addKey({
    body: { subscriptionId: carol.subscriptionId, name: 'first' },
  });
  const of = { subscriptionId: carol.subscriptionId, keyId: key.data!.id };
  expect((await carol.client.subscription.downloadKey({ body: of })).code).toBe('0000');

  // Password hashes use a secret that has not changed, also on a node that starts with the new key alone.
  await copyFile(file(here), file('fresh.key'));
  const fresh = await startNode('fresh.key');
  const login = { email: bob.email, password: PASSWORD };
  expect((await createClient(fresh.url).auth.login({ body: login })).code).toBe('0000');
  await worksAt(fresh.url);
  await fresh.node.close();

  // A second run over changed values, as after a kill before the earlier key was removed from the file.
  await writeFile(file(here), `${k1}\n${k2}\n`);
  await change();
  expect(await linesOf(here)).toEqual([k2]);
  expect((await readFile(file('here.key.before-2026-01-31'), 'utf8')).trim()).toBe(k1);
});

test('S80 a value that no key opens stays, is reported, and keeps both keys in the file', async () => {
  const [k2] = await linesOf(here);
  const row = await shop.db.selectFrom('totp').selectAll().executeTakeFirstOrThrow();
  const swap = (secret_sealed: Buffer) => shop.db.updateTable('totp').set({ secret_sealed }).execute();
  await swap(Buffer.alloc(60, 1));
  await expect(change()).rejects.toThrow('1 secrets cannot be decrypted by either key');
  const keys = await linesOf(here);
  expect(keys).toHaveLength(2);
  // The other machine still has the earlier key: it reports that it needs the new one, and works when it has it.
  await swap(row.secret_sealed);
  await copyFile(file(here), file(there));
  await worksAt(other.url, 'app');
  await change();
  expect(await linesOf(here)).toEqual([keys[1]]);
  expect(keys[0]).toBe(k2);
});

test('S80 a node without the new key seals nothing with the earlier one', async () => {
  await writeFile(file('late.key'), await readFile(file(here)));
  const late = await openMasterKey(shop.db, file('late.key'));
  await change();
  await expect(late.refresh()).rejects.toThrow(/was changed, but .*late.key still contains the previous one/);
  expect(() => late.vault.seal('x', 'y')).toThrow('still contains the previous one');
  await copyFile(file(here), file('late.key'));
  await copyFile(file(here), file(there));
  expect(late.vault.open(late.vault.seal('x', 'y'), 'y')).toBe('x');
});
