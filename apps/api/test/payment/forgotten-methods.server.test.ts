import { logInByEmail, makeCard, PASSWORD, paypalOrderOf, until } from '@fixpoint/testkit/buyer.ts';
import type { TestClient } from '@fixpoint/testkit/client.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { written } from '@fixpoint/texts/bundles.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { shopCommand } from '../helpers/shop-command.ts';
import { subscriber } from '../subscription/renewing.ts';
import { paypalBuyers } from './paypal-buyers.ts';

const DETACH = { path: 'POST /v1/payment_methods/*/detach' };
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop({ LOG_LEVEL: 'silent' });
});
afterAll(() => shop?.stop());
afterEach(() => shop.sandbox.calm());

type Who = { email: string; client: TestClient };
const savedOf = ({ email }: Who) =>
  shop.db
    .selectFrom('saved_method')
    .innerJoin('customer', 'customer.id', 'saved_method.customer_id')
    .select(['saved_method.id', 'provider_ref'])
    .where('customer.email', '=', email)
    .execute();
/** The customer's saved method, by its provider's id. */
const keptBy = async (who: Who) =>
  (await until(async () => (await savedOf(who))[0], 'what they have saved')).provider_ref;
/** Ends the account, with the cancelled subscription. */
async function end({ email, client }: Who, action: 'delete' | 'disable'): Promise<void> {
  await sql`update subscription set cancel_at_period_end = true
    where customer_id = (select id from customer where email = ${email})`.execute(shop.db);
  const ended = await client.auth.deleteAccount({ body: { action, currentPassword: PASSWORD } });
  expect(ended.code).toBe('0000');
}
const ownerOf = async (card: string) => (await shop.stripe.paymentMethods.retrieve(card)).customer;
const toForget = () => shop.db.selectFrom('method_to_forget').selectAll().execute();
const dead = () =>
  shop.db.selectFrom('open_alert').select('subject').where('kind', '=', 'job.dead').executeTakeFirst();

test.each(['delete', 'disable'] as const)(
  'S83 an account that ends (%s) leaves no chargeable card at its provider',
  async action => {
    const ann = await shop.customer(`ann-${action}`);
    const card = await keptBy(ann);
    expect(await ownerOf(card)).not.toBeNull();
    // A failed call is retried.
    await shop.sandbox.fault(DETACH, '500', 1);
    await end(ann, action);
    await until(async () => (await ownerOf(card)) === null, 'nobody’s card');
    await until(async () => (await toForget()).length === 0, 'nothing that names it');
    expect(await savedOf(ann)).toEqual([]);
  },
);

test.each(['delete', 'disable'] as const)(
  'S83 a customer reads so in each language before they end the account (%s)',
  action => {
    for (const [language, texts] of Object.entries(written.bundles)) {
      const text = texts[`account.end.${action}.text`]!.toLowerCase();
      const words = ['billing.method', 'billing.methods'].map(key => texts[key]!.toLowerCase());
      const named = words.some(word => text.includes(word));
      expect(named, `${language}: ${text}`).toBe(true);
    }
  },
);

test('S83 a PayPal account is removed at PayPal too', async () => {
  const buyers = paypalBuyers(shop);
  const order = await buyers.newOrder('pat');
  await buyers.agree(paypalOrderOf(await order.press()));
  await buyers.is(order, 'fulfilled');
  const pat = { email: order.email, client: (await logInByEmail(shop, order.email)).client };
  const token = await keptBy(pat);
  const tokens = async () => (await shop.sandbox.paypalLedger()).tokens;
  expect(await tokens()).toContain(token);
  await end(pat, 'delete');
  await until(async () => !(await tokens()).includes(token), 'a token that PayPal has deleted');
});

test('S83 a card whose saving completes after its account has ended is removed at once', async () => {
  const eve = await subscriber(shop, 'eve');
  await keptBy(eve);
  const answer = await eve.client.payment.updPayment({
    body: { card: await makeCard(shop, { number: '4000000000003220' }) },
  });
  await end(eve, 'delete');
  const { setupIntent } = answer.data!.asked!;
  await shop.sandbox.control('3ds/complete', { intent: setupIntent });
  const saved = await shop.stripe.setupIntents.retrieve(setupIntent);
  expect(saved.status).toBe('succeeded');
  await until(async () => (await ownerOf(saved.payment_method as string)) === null, 'nobody’s card');
});

test('S83 a card that its provider does not remove raises an alert, and goes when the alert is retried', async () => {
  await sql`create function once() returns trigger language plpgsql as $$ begin
    if new.name = 'forgetMethod' then new.retry_limit = 0; end if; return new; end $$`.execute(shop.db);
  await sql`create trigger once before insert on pgboss.job for each row execute function once()`.execute(
    shop.db,
  );
  const tom = await shop.customer('tom');
  const card = await keptBy(tom);
  await shop.sandbox.fault(DETACH, '500', 100);
  await end(tom, 'delete');
  const { subject } = await until(dead, 'the matter');
  expect(subject).toMatch(/^forgetMethod:/);
  expect(await toForget()).toMatchObject([{ method: 'card', provider_ref: card }]);
  await shop.sandbox.calm();
  expect(await shopCommand(shop, 'alerts', 'retry', subject)).toMatchObject({ code: 0 });
  await until(async () => (await ownerOf(card)) === null, 'nobody’s card');
  await until(async () => (await toForget()).length === 0, 'nothing that names it');
  expect(await dead()).toBeUndefined();
});
