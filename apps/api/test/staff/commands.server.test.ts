import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '@fixpoint/contract/staff/operations.ts';
import { emailTo } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/adapters/system-clock.ts';
import { commandOf } from '../../src/cli/areas.ts';
import type { Area } from '../../src/compose/staff/handler.ts';
import { raiseAlert, resolveAlert } from '../../src/modules/alert/index.ts';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { confirmedCommand, shopCommand } from '../helpers/shop-command.ts';

const DAY_MS = 24 * 60 * 60_000;
let folder: string;
let shop: TestShop;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixpoint-commands-'));
  shop = await startTestShop();
});
afterEach(async () => {
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
});
afterAll(async () => {
  await shop?.stop();
  await rm(folder, { recursive: true, force: true });
});

const run = (...args: string[]) => shopCommand(shop, ...args);

test('every operation of the table has a handler and a text, and none has more', async () => {
  for (const [area, verbs] of Object.entries(operations)) {
    for (const verb of Object.keys(verbs)) {
      const { operation, handler, plan, done } = await commandOf(area as Area, verb);
      const planned = 'preview' in operation;
      expect([area, verb, typeof handler, typeof plan, typeof done]).toEqual([
        ...[area, verb, planned ? 'object' : 'function', planned ? 'function' : 'undefined', 'function'],
      ]);
      expect([area, verb, operation.plan !== undefined]).toEqual([area, verb, planned]);
    }
  }
});

test('an exported catalogue imports as nothing new', async () => {
  const file = join(folder, 'exported.yaml');
  expect(await run('catalogue', 'export', '--output', file)).toMatchObject({
    code: 0,
    stdout: `${file} is written.\n`,
  });
  expect(await run('catalogue', 'import', file)).toMatchObject({
    code: 0,
    stdout: 'Nothing to change: the shop sells exactly that.\n',
  });
});

test('goodwill that was given by mistake is taken back as far as it is unused, and the books agree', async () => {
  const { client, email } = await shop.customer('typo');
  expect((await run('credit', 'give', email, '500', '--reason', 'a zero too many', '--yes')).code).toBe(0);
  const take = (amount: string) =>
    run('credit', 'take-back', email, amount, '--reason', 'a zero too many', '--yes');
  expect(await take('500.01')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('THB 500.00 of goodwill'),
  });
  expect((await take('450')).code).toBe(0);
  expect((await client.payment.getCard()).data!.credit).toMatchObject([{ currency: 'THB', amount: 50_00 }]);
  expect(await take('100')).toMatchObject({ code: 1 });
  // What a refund made credit is theirs.
  const { number } = (await client.billing.myBilling()).data!.items[0]!;
  const refund = ['refund', number!, '--amount', '30', '--reason', 'Sorry', '--credit'];
  expect((await confirmedCommand(shop, ...refund)).code).toBe(0);
  expect((await client.payment.getCard()).data!.credit).toMatchObject([{ currency: 'THB', amount: 80_00 }]);
  expect(await take('50.01')).toMatchObject({ code: 1 });
});

test('a customer who locked themselves out gets in again at once', async () => {
  const { email } = await shop.customer('forgetful');
  const tries = () => shop.client.auth.login({ body: { email, password: 'Wrong!pass1' } });
  for (let times = 0; times < 8; times += 1) await tries();
  expect((await tries()).code).toBe('9905');
  const lifted = await run('limits', 'lift', email, '--reason', 'called us');
  expect(lifted).toMatchObject({ code: 0, stdout: expect.stringContaining('wrong passwords at log-in') });
  expect((await run('limits', 'lift', email, '--reason', 'again')).stdout).toContain(
    'Nothing counts against',
  );
});

test('a range of addresses goes once nobody holds one of them', async () => {
  const set = await run('host', 'set', '--host', 'bkk-1', '--pool', '198.51.100.0/29');
  expect(set.code).toBe(0);
  expect(await run('host', 'remove', '--host', 'bkk-1', '--pool', '198.51.100.0/29')).toMatchObject({
    code: 0,
    stdout: '198.51.100.0/29 is removed from bkk-1: 6 addresses.\n',
  });
  await shop.customer('holder');
  const { pool_id } = await shop.db
    .selectFrom('static_ip')
    .select('pool_id')
    .where('subscription_id', 'is not', null)
    .limit(1)
    .executeTakeFirstOrThrow();
  expect(await run('host', 'remove', '--host', 'bkk-1', '--pool', pool_id)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('that customers hold'),
  });
  expect((await run('host', 'show', '--host', 'bkk-1')).stdout).toContain('serves holder@example.com');
});

test('the list of hosts exits with 1 while one has an open alert, and names it', async () => {
  expect(await run('host', 'list')).toMatchObject({ code: 0 });
  const now = shop.clock.now();
  await raiseAlert(shop.db, now, { kind: 'host.silent', subject: 'bkk-1' });
  const { code, stdout } = await run('host', 'list');
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^bkk-1 .* host\.silent\n/)]);
  expect((await run('host', 'show', '--host', 'bkk-1')).stdout).toContain('open alerts: host.silent');
  await resolveAlert(shop.db, now, 'host.silent', 'bkk-1');
});

test('staff gives an account another address in a day, both are told, and the link to the present one stops it', async () => {
  const { client, email } = await shop.customer('moved-mail');
  const { id } = (await client.auth.profile()).data!;
  const { email: other } = await shop.customer('other-mail');
  const give = (to: string, ...more: string[]) =>
    run('account', 'email', email, to, '--reason', 'lost their mailbox', ...more);
  const present = async () => {
    const customer = shop.db.selectFrom('customer').select('email').where('id', '=', id);
    return (await customer.executeTakeFirstOrThrow()).email;
  };
  expect(await give(other, '--yes')).toMatchObject({
    code: 1,
    stderr: `${other} belongs to another account.\n`,
  });
  expect((await give('first-new@example.com')).stdout).toContain('in 24 hours');
  expect((await give('first-new@example.com', '--yes')).code).toBe(0);
  expect((await emailTo(shop, 'first-new@example.com', /asked our support/)).Text).toContain('in 24 hours');
  const { Text } = await emailTo(shop, email, /undo-email\?token=/);
  const link = createClient(shop.url, /undo-email\?token=([\w.-]+)/.exec(Text)![1]!);
  expect((await link.account.undoEmail({ body: {} })).code).toBe('0000');

  expect((await give('second-new@example.com', '--yes')).code).toBe(0);
  expect((await give('third-new@example.com', '--yes')).stdout).toContain('second-new@example.com');
  await shop.sweep();
  expect(await present()).toBe(email);
  // The command takes the time of the system.
  shop.clock.advance(DAY_MS + 3_600_000);
  await shop.sweep();
  expect(await present()).toBe('third-new@example.com');
  expect(
    (await run('account', 'email', 'third-new@example.com', 'third-new@example.com', '--reason', 'x')).code,
  ).toBe(1);
});

test('a month that is over is exported with its documents, and not while the books do not balance', async () => {
  const { client } = await shop.customer('booked');
  const { number } = (await client.billing.myBilling()).data!.items[0]!;
  const monthOf = (at: Date) => new Date(at.getTime() + 7 * 3_600_000).toISOString().slice(0, 7);
  const sold = monthOf(shop.clock.now());
  expect(await run('export', 'month', sold)).toMatchObject({ code: 1, stderr: `${sold} is not over yet.\n` });
  while (monthOf(shop.clock.now()) === sold) shop.clock.advance(DAY_MS);
  await shop.sweep();
  const ahead_ms = shop.clock.now().getTime() - systemClock.now().getTime();
  await shop.db.updateTable('shop_clock').set({ ahead_ms }).execute();

  const file = join(folder, 'month.zip');
  const { stdout, code } = await run('export', 'month', sold, '--output', file);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/invoices: [1-9]/)]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const zip = await readFile(file);
  for (const part of [
    'invoices.csv',
    'credit-notes.csv',
    'payments.csv',
    'refunds.csv',
    `receipt/${number}.pdf`,
  ])
    expect(zip.includes(part), part).toBe(true);
  expect(zip.includes(`${number},`)).toBe(true);

  const counted = shop.db.updateTable('number_series').where('series', '=', number!.slice(0, 4));
  await counted.set(eb => ({ last: eb('last', '+', 1) })).execute();
  const refused = await run('export', 'month', sold);
  await counted.set(eb => ({ last: eb('last', '-', 1) })).execute();
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('The books do not balance') });
});
