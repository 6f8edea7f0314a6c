import { beginOrder } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/adapters/system-clock.ts';
import { invariants } from '../../src/modules/books/check.ts';
import { queryAt } from '../../src/modules/books/invariant.ts';
import { shopCommand } from '../helpers/shop-command.ts';
import { faults, goodRows } from './books-faults.ts';

/** Invariants on the books of an active shop, and on each fault (R10, X11–X29, I1–I12). */
let shop: TestShop;
let owner: pg.Client;
beforeAll(async () => {
  shop = await startTestShop();
  const { client, subscriptionId } = await shop.customer('buyer');
  const name = { subscriptionId, name: 'phone' };
  const { data } = await client.subscription.addKey({ body: { ...name } });
  // The download creates a certificate.
  await client.subscription.downloadKey({ body: { subscriptionId, keyId: data!.id } });
  await client.subscription.deleteKey({ body: { subscriptionId, keyId: data!.id } });
  await client.subscription.addKey({ body: { ...name, name: 'laptop' } });
  // The fee of the payment becomes known.
  shop.clock.advance(2 * 60_000);
  await shop.sweep();
  owner = new pg.Client(shop.databaseUrl);
  await owner.connect();
  // Faults bypass the constraints of the database.
  await owner.query('set session_replication_role = replica');
});
afterAll(async () => {
  await owner?.end();
  await shop?.stop();
});

/** Names of the invariants that these statements violate. Rolls them back. */
async function brokenBy(...statements: string[]): Promise<string[]> {
  await owner.query('begin');
  try {
    for (const statement of statements) await owner.query(statement);
    const broken: string[] = [];
    for (const invariant of invariants) {
      const { rows } = await owner.query(queryAt(invariant, shop.clock.now()));
      if (rows.length > 0) broken.push(invariant.name);
    }
    return broken;
  } finally {
    await owner.query('rollback');
  }
}

test('good books break no invariant', async () => {
  expect(await brokenBy()).toEqual([]);
  expect(await brokenBy(goodRows)).toEqual([]);
});

test('every invariant has a fault', () => {
  expect([...new Set(faults.map(({ breaks }) => breaks))].sort()).toEqual(
    invariants.map(({ name }) => name).sort(),
  );
});

test.each(faults)('$breaks: $fault is caught', async ({ breaks, sql }) => {
  expect(await brokenBy(goodRows, ...sql)).toContain(breaks);
});

test('FM9 a difference is an alert until the books balance again', async () => {
  const open = async () =>
    (
      await shop.db
        .selectFrom('open_alert')
        .select('subject')
        .where('kind', '=', 'books.differ')
        .orderBy('subject')
        .execute()
    ).map(({ subject }) => subject);
  const { rows } = await owner.query(
    "update attempt set fee = fee + 1 where status = 'succeeded' returning id",
  );
  await shop.sweep();
  expect(await open()).toEqual(['X20 fees', 'X20 provider']);
  await owner.query('update attempt set fee = fee - 1 where id = $1', [rows[0].id]);
  await shop.sweep();
  expect(await open()).toEqual([]);
});

const command = (...args: string[]) => shopCommand(shop, ...args);

test('the command reports that the books balance, with balances and fees', async () => {
  const { balances } = await shop.sandbox.ledger();
  const [net, fees] = [balances.thb!.net, -balances.thb!.fees].map(satang => (satang / 100).toFixed(2));
  expect(await command('books')).toEqual({
    code: 0,
    stdout: `Compared stripe THB: it moved ${net}, booked ${net}; it holds ${net}; fees ${fees}\n\nThe books balance.\n`,
    stderr: '',
  });
});

test('X20 payouts are booked by kind, and what is held is compared if our key may read it', async () => {
  const { net } = (await shop.sandbox.ledger()).balances.thb!;
  // Stripe pays out what has been available since two days after the charge.
  shop.clock.advance(2 * 24 * 60 * 60_000);
  await shop.sandbox.control('payouts', { currency: 'thb', amount: 100_00 });
  const paidOut = await command('books');
  expect(paidOut.code).toBe(0);
  expect(paidOut.stdout).toContain(
    `; it holds ${((net - 100_00) / 100).toFixed(2)}; fees 17.26; payouts −100.00 (1)\n`,
  );
  await shop.sandbox.fault({ path: 'GET /v1/balance' }, '403');
  const unheld = await command('books');
  expect(unheld).toMatchObject({ code: 0, stdout: expect.stringContaining('The books balance.') });
  expect(unheld.stdout).not.toContain('it holds');
  expect(unheld.stdout).toContain('stripe: our key may not read its balance, which was not compared.');
});

test('the command shows money that only a provider has', async () => {
  const beside = await shop.stripe.paymentIntents.create({
    amount: 12_300,
    currency: 'thb',
    confirm: true,
    payment_method: 'pm_card_visa',
    allowed_payment_method_types: ['card'],
  });
  const { code, stdout } = await command('books');
  expect(code).toBe(1);
  expect(stdout).toContain(beside.id);
  expect(stdout).toContain('The books do not balance.');
  expect(await command('books', '--database')).toMatchObject({ code: 0 });
});

test('the books balance again once the money is declared foreign', async () => {
  const beside = /"ref":"(pi_\w+)","currency":"THB","received":12300/;
  const [, ref] = beside.exec((await command('books')).stdout)!;
  expect(await command('payments', 'foreign', 'stripe', ref!, '--reason', 'Of the other shop')).toMatchObject(
    {
      code: 0,
      stdout: `${ref} at stripe does not belong to this shop. The books are compared without it.\n`,
    },
  );
  expect(await command('books')).toMatchObject({ code: 0 });
  await owner.query('delete from foreign_money');
});

test('the command shows the query of our side for a difference with a provider', async () => {
  const [, ref] = /"ref":"(pi_\w+)","currency":"THB","received":12300/.exec((await command('books')).stdout)!;
  await owner.query(
    "update ledger_entry set amount = amount + 1 where txn like 'fee:%' and account = 'provider'",
  );
  const { stdout } = await command('books');
  const payments = /select id, coalesce[^;]*;/.exec(stdout)![0];
  expect(payments).toContain(`'${ref}'`);
  expect((await owner.query(payments)).rows).toEqual([]);
  const balance = /select currency, sum\(amount\) from \([^;]*;/.exec(stdout)![0];
  expect((await owner.query(balance)).rows).toEqual([{ currency: 'THB', sum: expect.any(String) }]);
  await owner.query(
    "update ledger_entry set amount = amount - 1 where txn like 'fee:%' and account = 'provider'",
  );
});

test('the command shows the query of a violated invariant', async () => {
  await owner.query("update invoice set serial = serial + 1, number = '2000-000002'");
  const { code, stdout } = await command('books', '--database');
  expect(code).toBe(1);
  const query = /select series[^;]*;/.exec(stdout)![0];
  expect((await owner.query(query)).rows).toHaveLength(1);
  await owner.query("update invoice set serial = serial - 1, number = '2000-000001'");
  expect((await command('books', '--database')).code).toBe(0);
});

test('X11 numbers issued before a restore are not issued again, and the books allow the gap', async () => {
  const { rows } = await owner.query("select series, last from number_series where series !~ 'CN'");
  const [{ series, last }] = rows as [{ series: string; last: number }];
  const number = (serial: number) => `${series}-${String(serial).padStart(6, '0')}`;
  const given = number(last + 3);
  const asked = await command('numbers', 'given', given);
  expect(asked.code).toBe(1);
  expect(asked.stdout).toContain(`${number(last + 1)} to ${given}: 3 numbers that the shop does not know`);
  expect((await command('numbers', 'given', given, '--yes')).stdout).toContain(
    `The next number of ${series} is ${number(last + 4)}.\n`,
  );
  // A repetition changes nothing.
  expect((await command('numbers', 'given', number(last), '--yes')).stdout).toContain(number(last + 4));
  await shop.customer('restored');
  const newest = await owner.query(
    'select number from invoice where serial is not null order by serial desc',
  );
  expect(newest.rows[0].number).toBe(number(last + 4));
  expect(await command('books', '--database')).toMatchObject({ code: 0 });
  expect(await command('numbers', 'given', '2026/4')).toMatchObject({ code: 64 });
});

test('a restored backup balances as of its own moment', async () => {
  await beginOrder(shop.client);
  const dumped = shop.clock.now();
  // Days after the backup, work that was under way would be overdue.
  const ahead_ms = dumped.getTime() + 2 * 24 * 60 * 60_000 - systemClock.now().getTime();
  await shop.db.updateTable('shop_clock').set({ ahead_ms }).execute();
  expect((await command('books', '--database')).stdout).toContain('I5 settled');
  const at = dumped.toISOString();
  expect(await command('books', '--database', '--at', at)).toMatchObject({
    code: 0,
    stdout: 'The books balance.\n',
  });
  expect(await command('books', '--at', at)).toMatchObject({ code: 64 });
  expect(await command('books', '--database', '--at', 'yesterday')).toMatchObject({
    code: 64,
    stderr: expect.stringContaining('2027-03-01T03:00:00Z'),
  });
});
