import { beginOrder, emailTo, makeCard, PASSWORD, paypalOrderOf, until } from '@fixpoint/testkit/buyer.ts';
import { createClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { checkDatabase } from '../../src/modules/books/index.ts';
import { proveHuman, signUp } from '../helpers/people.ts';
import { shopCommand } from '../helpers/shop-command.ts';
import { paypalBuyers } from '../payment/paypal-buyers.ts';
import { savedCard, subscriber } from '../subscription/renewing.ts';
import { invitationTo, newColleague } from '../team/people.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop({ DISPUTED_SERVICE: 'suspend', PAYPAL_RECURRING: 'vault' });
});
afterEach(async () => {
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
});
afterAll(() => shop?.stop());

const run = (...args: string[]) => shopCommand(shop, ...args);
const suspend = (id: string, ...more: string[]) =>
  run('subscription', 'suspend', id, '--reason', 'port scans', '--yes', ...more);
const restore = (id: string, ...more: string[]) =>
  run('subscription', 'restore', id, '--reason', 'settled', ...more);
const letsIn = (id: string, keys: number) =>
  until(async () => {
    const served = shop.host.set()?.subscriptions.find(each => each.id === id);
    return served?.keys.length === keys;
  }, `a host that lets ${keys} devices in`);
const isSuspended = async (id: string) =>
  (
    await shop.db
      .selectFrom('subscription')
      .select('suspended')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).suspended;

test('staff suspends: the host refuses its devices at once, an email says why, and each cause is lifted by itself', async () => {
  const { client, email, subscriptionId: id } = await shop.customer('scanner');
  await client.subscription.addKey({ body: { subscriptionId: id, name: 'phone' } });
  await letsIn(id, 1);
  const shown = await run('subscription', 'suspend', id, '--cause', 'abuse', '--reason', 'port scans');
  expect([shown.code, await isSuspended(id)]).toEqual([1, false]);
  expect(await suspend(id, '--cause', 'abuse')).toMatchObject({ code: 0 });
  await letsIn(id, 0);
  const message = await emailTo(shop, email, /suspended/);
  expect(message.Text).toContain('goes against our terms of service');
  expect(message.Text).not.toContain('port scans');

  expect(await suspend(id, '--cause', 'abuse')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('is suspended for abuse already'),
  });
  expect((await suspend(id)).code).toBe(0);
  expect(await restore(id)).toMatchObject({ code: 1, stderr: 'Name one cause with --cause: abuse, staff\n' });
  expect(await restore(id, '--cause', 'dispute')).toMatchObject({ code: 1 });
  expect(await restore(id, '--cause', 'abuse')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('stays suspended for: staff'),
  });
  expect(await isSuspended(id)).toBe(true);
  expect((await restore(id)).code).toBe(0);
  await letsIn(id, 1);
  expect((await emailTo(shop, email, /works again/)).Text).toContain('no longer suspended');
  const { stdout } = await run('audit', 'list', id);
  expect(stdout).toContain('reason: port scans');
});

test('a dispute and staff suspend one subscription: the won dispute lifts only its own cause', async () => {
  const { client, subscriptionId: id } = await shop.customer('both');
  await client.subscription.addKey({ body: { subscriptionId: id, name: 'phone' } });
  const { provider_ref } = await shop.db
    .selectFrom('attempt')
    .innerJoin('invoice', 'invoice.id', 'attempt.invoice_id')
    .select('provider_ref')
    .where('invoice.subscription_id', '=', id)
    .where('attempt.status', '=', 'succeeded')
    .executeTakeFirstOrThrow();
  const { id: dispute } = await shop.sandbox.control('disputes/open', { payment_intent: provider_ref });
  await until(() => isSuspended(id), 'suspended by the dispute');
  expect((await suspend(id)).code).toBe(0);
  await shop.sandbox.control('disputes/close', { dispute, outcome: 'won' });
  await until(
    async () =>
      (
        await shop.db
          .selectFrom('suspension')
          .select('lifted_at')
          .where('subscription_id', '=', id)
          .where('cause', '=', 'dispute')
          .executeTakeFirstOrThrow()
      ).lifted_at,
    'the dispute’s cause to be lifted',
  );
  expect(await isSuspended(id)).toBe(true);
  await letsIn(id, 0);
  expect((await restore(id)).code).toBe(0);
  await letsIn(id, 1);
});

test('the paid period of a suspended subscription runs on, nothing renews, and only staff lets it be bought again', async () => {
  const person = await subscriber(shop, 'runs-out');
  const { subscriptionId: id } = person;
  const invoices = (await person.invoices()).length;
  expect((await suspend(id, '--cause', 'abuse')).code).toBe(0);
  await person.at(0.1);
  const client = await person.now();
  const status = async () => (await client.subscription.getSubscription({ query: { id } })).data!.status;
  expect([await status(), (await person.invoices()).length]).toEqual(['expired', invoices]);
  expect((await client.order.getData({ query: { id } })).code).toBe('8004');
  expect((await restore(id)).code).toBe(0);
  expect((await client.order.getData({ query: { id } })).code).toBe('0000');
});

test('who is closed out works for nobody any more: no owner and no device of theirs is left elsewhere', async () => {
  const [honest, rogue] = [await shop.customer('honest', 'plus'), await signUp(shop, 'rogue@example.com')];
  const { id: honestId } = (await honest.client.auth.profile()).data!;
  await honest.client.team.invite({ body: { email: rogue.email, role: 'owner' } });
  await rogue.client.team.joinTeam({ body: { invitation: await invitationTo(shop, rogue.email) } });
  const { token } = await rogue.client.team.switchCustomer({ body: { customerId: honestId } });
  const { subscriptionId } = honest;
  const body = { subscriptionId, name: 'rogues' };
  const { id } = (await createClient(shop.url, token).subscription.addKey({ body })).data!;
  await letsIn(subscriptionId, 1);
  const close = ['account', 'close', rogue.email, '--reason', 'spam'];
  expect(JSON.parse((await run(...close, '--json')).stdout)).toMatchObject({
    plan: { worksFor: [honestId] },
  });
  expect((await run(...close, '--yes')).code).toBe(0);
  await letsIn(subscriptionId, 0);
  const { people } = (await honest.client.team.people()).data!;
  expect(people.map(({ email }) => email)).toEqual([honest.email]);
  expect((await honest.client.team.leave()).code).toBe('8807');
  const key = shop.db.selectFrom('vpn_key').select('deleted_at').where('id', '=', id);
  expect(await key.executeTakeFirst()).toEqual({ deleted_at: expect.any(Date) });
});

test('the last owner of another account is closed after that account', async () => {
  const company = await signUp(shop, 'company@example.com');
  const { id: companyId } = (await company.client.auth.profile()).data!;
  const last = await newColleague(shop, company.client, 'last-owner@example.com', 'owner');
  expect((await company.client.team.leave()).code).toBe('0000');
  const close = (customer: string) => run('account', 'close', customer, '--reason', 'spam', '--yes');
  const refused = await close(last.email);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(companyId)]);
  for (const customer of [companyId, last.email]) expect((await close(customer)).code).toBe(0);
});

test('a closed account ends at once, and its address, card and PayPal account buy nothing more', async () => {
  const buyers = paypalBuyers(shop);
  const saved = await buyers.newOrder('banned');
  const first = paypalOrderOf(await saved.press());
  await buyers.agree(first);
  await buyers.is(saved, 'fulfilled');
  const { client } = await shop.customer('banned-card');
  const { id } = (await client.subscription.mySubscription({ body: {} })).data!.items[0]!;
  await savedCard(client);
  for (const email of ['banned@example.com', 'banned-card@example.com']) {
    expect((await run('account', 'close', email, '--reason', 'spam', '--yes')).code).toBe(0);
    expect((await emailTo(shop, email, /We’ve closed your/)).Text).toContain('can’t open another account');
  }
  await until(
    async () => !shop.host.set()?.subscriptions.some(each => each.id === id),
    'the host to drop its subscription',
  );
  expect((await client.auth.profile()).code).not.toBe('0000');

  // The same mailbox, in other words.
  const email = 'Banned+again@example.com';
  const termsVersion = (await shop.client.text.getTerm()).data!.version;
  const humanCheck = await proveHuman(shop);
  const form = { email, password: PASSWORD, termsVersion, language: 'en' as const, humanCheck };
  expect((await shop.client.customer.register({ body: form })).code).toBe('8004');
  const visitor = await beginOrder(shop.client);
  const order = { ...visitor.consent, email, language: 'en' as const };
  expect((await shop.client.order.purchase({ body: order })).code).toBe('8004');

  // Another address with the same card, and with the same PayPal account: no money moves.
  const other = await signUp(shop, 'newcomer@example.com');
  const { consent, metadata } = await beginOrder(other.client);
  await other.client.order.purchaseLogin({ body: consent });
  const card = await makeCard(shop);
  expect((await other.client.order.confirmPurchase({ body: { metadata, card } })).code).toBe('8004');
  const again = await buyers.newOrder('newcomer-paypal');
  const second = paypalOrderOf(await again.press());
  await buyers.agree(second);
  await until(
    async () => (await buyers.attemptsOf(again))[0]?.status === 'closed',
    'the attempt to be closed',
  );
  expect(await buyers.capturesOf(second)).toEqual([]);

  // A mistake is undone with a reason; the account stays closed.
  const listed = await run('customer', 'banned@example.com', '--json');
  const { id: closed } = JSON.parse(listed.stdout).customer.account;
  const blocks = async (about: string): Promise<{ id: string; kind: string }[]> =>
    JSON.parse((await run('block', 'list', about, '--json')).stdout).entries;
  const found = await blocks('banned+third@example.com');
  expect(found).toMatchObject([{ kind: 'email', customerId: closed, reason: 'spam', until: null }]);
  const paypal = (await blocks(closed)).find(({ kind }) => kind === 'paypal')!;
  expect((await run('block', 'remove', paypal.id, '--reason', 'a shared account')).code).toBe(0);
  expect(await blocks(closed)).toEqual(found);
  expect((await run('block', 'remove', paypal.id, '--reason', 'again')).code).toBe(1);
  expect((await shop.client.order.purchase({ body: order })).code).toBe('8004');
  expect((await run('account', 'unblock', closed, '--reason', 'mistaken')).code).toBe(0);
  expect((await shop.client.order.purchase({ body: order })).code).toBe('0000');
});
