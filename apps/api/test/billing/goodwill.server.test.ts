import { beginOrder, emailTo, PASSWORD } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { shopCommand } from '../helpers/shop-command.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterEach(async () => {
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
});
afterAll(() => shop?.stop());
// Each command is a process of its own, which starts slowly on a busy machine.

const credit = (...args: string[]) => shopCommand(shop, 'credit', 'give', ...args, '--yes');
const booked = () =>
  shop.db
    .selectFrom('ledger_entry')
    .select(['account', 'currency', 'amount', 'customer_id'])
    .where('txn', 'like', 'goodwill:%')
    .orderBy('created_at')
    .orderBy('position')
    .execute();
const idOf = async (email: string) =>
  (await shop.db.selectFrom('customer').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id;

test('M17 goodwill credit is a cost in the books, is shown with its date and emailed, and pays the next order', async () => {
  const { client, email } = await shop.customer('waited');
  const id = await idOf(email);
  const given = await credit(email.toUpperCase(), '50.00', '--reason', 'Host was down');
  expect(given).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`${email} has THB 50.00 more credit. An email notifies them.\n`),
  });
  expect(await booked()).toEqual([
    { account: 'goodwill', currency: 'THB', amount: 50_00, customer_id: null },
    { account: 'credit', currency: 'THB', amount: -50_00, customer_id: id },
  ]);
  const { credit: has } = (await client.payment.getCard()).data!;
  const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
  expect(has).toEqual([{ currency: 'THB', amount: 50_00, goodwill: [{ amount: 50_00, at }] }]);
  const message = await emailTo(shop, email, /is now credit in your account/);
  expect(message.Text).toMatch(/As a goodwill gesture, we’ve added THB\s50\.00/);
  // The reason that staff wrote is for the books alone.
  expect(message.Text).not.toContain('Host was down');

  // No invoice has changed, and the next one asks for less.
  expect(await shop.db.selectFrom('credit_note').select('id').execute()).toEqual([]);
  const { consent } = await beginOrder(client);
  const { data } = await client.order.purchaseLogin({ body: { ...consent, credit: 50_00 } });
  expect(data).toMatchObject({ status: 'awaitingPayment', credit: 50_00 });
  expect((await client.payment.getCard()).data!.credit).toEqual([]);
});

test('M17 the same credit twice, also concurrently, is granted once; another reason grants more', async () => {
  const { email } = await shop.customer('twice');
  const id = await idOf(email);
  const before = (await booked()).length;
  const both = await Promise.all([1, 2].map(() => credit(id, '10', 'thb', '--reason', 'late')));
  expect(both.map(({ code }) => code).toSorted()).toEqual([0, 1]);
  expect(both.find(({ code }) => code === 1)!.stderr).toMatch(/given less than a day ago/);
  expect(await credit(id, '10', '--reason', 'late again')).toMatchObject({ code: 0 });
  expect(await booked()).toHaveLength(before + 4);
});

test('an invalid amount is refused, and nothing is written', async () => {
  const { email, token } = await shop.customer('refused');
  const before = await booked();
  for (const [args, says] of [
    [[email, '-5'], /-5 is not an amount/],
    [[email, '0'], /0 is not an amount/],
    [[email, '0.00'], /0\.00 is not an amount/],
    [[email, '1.234'], /1\.234 is not an amount/],
    [[email, 'much'], /much is not an amount/],
    [[email], /AMOUNT is missing/],
    [[email, '5', 'USD'], /refused@.* cannot use credit in USD\. Give THB/],
    [[email, '5', 'XYZ'], /cannot use credit in XYZ/],
    [[email, '5', 'THB', 'more'], /Unexpected argument: more/],
    [['nobody@example.com', '5'], /no active account nobody@example\.com/],
  ] as const) {
    const output = await credit(...args, '--reason', 'sorry');
    expect(output.code, args.join(' ')).not.toBe(0);
    expect(output.stderr).toMatch(says);
  }
  expect((await credit(email, '5')).stderr).toMatch(/--reason is missing/);
  expect((await credit(email, '5', '--reason', 'to 4242 4242 4242 4242')).stderr).toMatch(/card number/);
  await sql`update subscription set cancel_at_period_end = true`.execute(shop.db);
  const body = { action: 'delete' as const, currentPassword: PASSWORD };
  expect(await credit(email, '7', '--reason', 'He is called Ann')).toMatchObject({ code: 0 });
  const ended = await shop.client.auth.deleteAccount({ body }, { authorization: `Bearer ${token}` });
  expect(ended.code).toBe('0000');
  expect((await credit(email, '5', '--reason', 'sorry')).stderr).toMatch(/no active account/);
  expect(await booked()).toHaveLength(before.length + 2);
});

test('OP9 more credit within a month than the dearest plan costs needs a word of its own', async () => {
  const { email } = await shop.customer('ceiling');
  const { ceiling } = await shop.db
    .selectFrom('plan_price')
    .select(eb => eb.fn.max<number>(sql`greatest(price, renewal)`).as('ceiling'))
    .where('currency', '=', 'THB')
    .executeTakeFirstOrThrow();
  const written = (minor: number) => (minor / 100).toFixed(2);
  const before = (await booked()).length;
  const typo = [email, '100000', '--reason', 'a typing error'];
  const says = expect.stringContaining(`above the ceiling of THB ${written(Number(ceiling))}`);
  for (const how of [[], ['--yes']])
    expect(await shopCommand(shop, 'credit', 'give', ...typo, ...how)).toMatchObject({
      code: 1,
      stderr: says,
    });
  // Several gifts count together, also at once.
  const most = [email, written(Number(ceiling)), '--reason'];
  const both = await Promise.all(['one', 'two'].map(reason => credit(...most, reason)));
  expect(both.map(({ code }) => code).toSorted()).toEqual([0, 1]);
  expect(await credit(email, '1', '--reason', 'more')).toMatchObject({ code: 1, stderr: says });
  expect(await credit(email, '1', '--reason', 'more', '--above-ceiling')).toMatchObject({ code: 0 });
  expect(await booked()).toHaveLength(before + 4);
});
