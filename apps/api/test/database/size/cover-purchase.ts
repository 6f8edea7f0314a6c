import {
  beginOrder,
  cardPaymentOf,
  confirmCard,
  emailTo,
  makeCard,
  paypalOrderOf,
  until,
} from '@fixpoint/testkit/buyer.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { sql } from 'kysely';
import Stripe from 'stripe';
import { proveHuman } from '../../helpers/people.ts';
import type { Coverage } from './coverage.ts';

/** Covers purchases: by a visitor and a customer, declined, overpaid, disputed. */
export async function coverPurchases({ shop, mark }: Coverage): Promise<void> {
  await browse(shop);
  const { client } = await shop.customer(`buyer-${mark}`, 'plus');
  await giveCredit(shop, `buyer-${mark}@example.com`);
  await giveAway(shop, `buyer-${mark}@example.com`);
  await buyAgain(shop, client);
  await renewCards(shop, client, `buyer-${mark}@example.com`);
  await buyWhereManyHostsAre(shop, `far-${mark}@example.com`, `near-${mark}@example.com`);
  await payAfterDecline(shop, `declined-${mark}@example.com`);
  await payForNothing(shop, `excess-${mark}@example.com`);
  await payWithCoins(shop, `coins-${mark}@example.com`);
  await payWithPaypal(shop, `paypal-${mark}@example.com`);
  await payAndDispute(shop, `disputes-${mark}@example.com`);
  await hearOf(shop, 'charge.dispute.created', `dp_${mark}`);
  await hearOf(shop, 'refund.updated', `re_${mark}`);
}

async function browse(shop: TestShop): Promise<void> {
  const { client } = shop;
  await client.text.getMaintainerStatus();
  await client.text.uiText({ query: { lang: 'en' } });
  await client.text.getPolicy();
  await client.text.getTerm({ query: { version: 'an earlier one' } });
  await client.order.getAllPlan({ query: { category: 'vpn' } });
  await client.order.getVendor({ query: {} });
  await client.order.getVendor({ query: { provider: 'hetzner', region: 'size-07', vendor: 'fixpoint' } });
}

type Client = TestShop['client'];
export const stateOf = async (client: Client, metadata: string) =>
  (await client.order.purchaseData({ body: { metadata } })).data!;

/** Waits until the order is delivered, or became credit because its payment was late. */
const settled = (client: Client, metadata: string) =>
  until(async () => /fulfilled|refunded/.test((await stateOf(client, metadata)).status), 'the order');

export async function pay(shop: TestShop, client: Client, metadata: string, intent: string): Promise<void> {
  await confirmCard(shop, intent);
  await client.order.confirmPurchase({ body: { metadata } });
  await settled(client, metadata);
}

const giveCredit = (shop: TestShop, email: string) =>
  sql`insert into ledger_entry (txn, position, account, customer_id, currency, amount, created_at)
    select 'goodwill:' || id, position, account, case account when 'credit' then id end, 'THB', amount, now()
    from customer, (values (0, 'goodwill', 5000), (1, 'credit', -5000)) entry (position, account, amount)
    where email = ${email}`.execute(shop.db);

/** Buys with the saved card and credit; an unknown PayPal account is refused. */
async function buyAgain(shop: TestShop, client: Client): Promise<void> {
  const { consent, metadata } = await beginOrder(client);
  const accountId = 'met_nobodys0000000000';
  await client.order.purchaseLogin({ body: { ...consent, paymentMethod: 'paypal', accountId } });
  const bought = await client.order.purchaseLogin({ body: consent });
  await shop.client.order.getPaymentMethod({ query: { id: bought.data!.reference } });
  const card = await until(async () => (await client.payment.getCard()).data!.cards[0], 'the saved card');
  await client.order.purchaseLogin({ body: { ...consent, cardId: card.id } });
  await settled(client, metadata);
}

/** The network renews the card after a decline, at last into one that its owner has typed meanwhile. */
async function renewCards(shop: TestShop, client: Client, email: string): Promise<void> {
  const { provider_ref: payment_method } = await shop.db
    .selectFrom('saved_method')
    .innerJoin('customer', 'customer.id', 'saved_method.customer_id')
    .select('provider_ref')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  const renew = (more: object) =>
    shop.sandbox.control('cards/renew', { payment_method, exp_month: 3, exp_year: 2040, ...more });
  const cards = async () => (await client.payment.getCard()).data!.cards;
  await renew({});
  await until(async () => (await cards())[0]?.expiryYear === 2040, 'the new expiry');
  const number = '5555555555554444';
  const refused = await makeCard(shop, { number: '4000000000000002' });
  await client.payment.updPayment({ body: { card: refused } });
  await client.payment.updPayment({ body: { card: await makeCard(shop, { number }) } });
  await renew({ number });
  await until(async () => (await cards()).length === 1, 'one card');
}

/** Buys for an address that has an account. */
async function giveAway(shop: TestShop, email: string): Promise<void> {
  const { client } = shop;
  const { consent, metadata } = await beginOrder(client);
  const bought = await client.order.purchase({ body: { ...consent, email, language: 'en' } });
  await pay(shop, client, metadata, cardPaymentOf(bought.data));
}

/** Buys in a place with ten equally full hosts, with a mistyped address. */
async function buyWhereManyHostsAre(shop: TestShop, email: string, meant: string): Promise<void> {
  const { client } = shop;
  const productId = 'solo-1m-hetzner-sg-sin-fixpoint';
  const { metadata } = (await client.order.getMetaData({ body: { productId, currency: 'THB' } })).data!;
  const termsVersion = (await client.text.getTerm()).data!.version;
  const bought = await client.order.purchase({
    body: {
      metadata,
      paymentMethod: 'card',
      termsVersion,
      price: { currency: 'THB', price: 19_900 },
      email,
      language: 'en',
    },
  });
  await pay(shop, client, metadata, cardPaymentOf(bought.data));
  await sql`update invoice set documents_due_at = ${shop.clock.now()}
    where order_id = (select id from shop_order where email = ${email})`.execute(shop.db);
  await shop.sweep();
  await client.guest.changeEmail({ body: { metadata, email: meant } });
  await client.guest.sendAgain({ body: { metadata } });
  const humanCheck = await proveHuman(shop);
  await client.guest.askPlaceNotice({ body: { regionId: 'sg-sin', email: meant, humanCheck } });
  const { Text } = await emailTo(shop, meant, /Please confirm/);
  const token = /place-notice\?token=([\w-]+)/.exec(Text)![1]!;
  await client.guest.confirmPlaceNotice({ body: { token } });
  for (const call of ['placeNotice', 'deletePlaceNotice'] as const)
    await client.guest[call]({ body: { token: 'A'.repeat(43) } });
  await sql`insert into place_notice (id, region_id, email, language, asked_at, expires_at)
    select 'ntc_' || n, 'sg-sin', 'ntc' || n || '@example.com', 'en', now(), now() from generate_series(1, 1000) n
    on conflict do nothing`.execute(shop.db);
}

async function payAfterDecline(shop: TestShop, email: string): Promise<void> {
  const { client } = shop;
  const { consent, metadata } = await beginOrder(client);
  const body = { ...consent, email, language: 'en' as const };
  const first = await client.order.purchase({ body });
  await confirmCard(shop, cardPaymentOf(first.data), 'pm_card_visa_chargeDeclined');
  await client.order.confirmPurchase({ body: { metadata } });
  await client.order.purchase({ body });
  // As if it had been ordered before the rate of VAT changed.
  await sql`update invoice_line set vat_rate_bp = 600 where invoice_id in
    (select invoice.id from invoice join shop_order on shop_order.id = order_id where email = ${email})`.execute(
    shop.db,
  );
  // The bank asks about a card, and its holder takes another one instead.
  for (const number of ['4000002760003184', '4242424242424242'])
    await client.order.confirmPurchase({ body: { metadata, card: await makeCard(shop, { number }) } });
  await settled(client, metadata);
}

/** Pays an invoice that takes no money any more, so that it is refunded. */
async function payForNothing(shop: TestShop, email: string): Promise<void> {
  const { consent } = await beginOrder(shop.client);
  const body = { ...consent, email, language: 'en' as const };
  const bought = await shop.client.order.purchase({ body });
  await sql`update invoice set status = 'void'
    where order_id = (select id from shop_order where email = ${email})`.execute(shop.db);
  await confirmCard(shop, cardPaymentOf(bought.data));
  const sent = () =>
    sql`select from refund join attempt on attempt.id = attempt_id join invoice on invoice.id = invoice_id
    join shop_order on shop_order.id = order_id where email = ${email} and refund.provider_ref is not null`.execute(
      shop.db,
    );
  await until(async () => (await sent()).rows.length > 0, 'a refund');
}

/** Opens a dispute about the payment of a delivered order. */
async function payAndDispute(shop: TestShop, email: string): Promise<void> {
  const { consent, metadata } = await beginOrder(shop.client);
  const bought = await shop.client.order.purchase({ body: { ...consent, email, language: 'en' } });
  const intent = cardPaymentOf(bought.data);
  await pay(shop, shop.client, metadata, intent);
  const { id: dispute } = await shop.sandbox.control('disputes/open', { payment_intent: intent });
  // The refund waits for the end of the dispute.
  await sql`insert into refund (id, attempt_id, currency, amount, reason, status, created_at, updated_at)
    select 'waits-' || id, id, currency, 1, 'unapplied', 'created', created_at, updated_at from attempt
    where provider_ref = ${intent}`.execute(shop.db);
  await until(
    async () => (await shop.db.selectFrom('dispute').select('id').execute()).length > 0,
    'the dispute',
  );
  await shop.sandbox.control('disputes/close', { dispute, outcome: 'lost' });
  await until(
    async () =>
      (await shop.db.selectFrom('dispute').where('status', '=', 'lost').select('id').execute()).length > 0,
    'the loss',
  );
}

/** Pays half in time and twice the rest to a second offer: the surplus becomes credit. */
async function payWithCoins(shop: TestShop, email: string): Promise<void> {
  const { client } = shop;
  const { consent, metadata } = await beginOrder(client);
  const body = { ...consent, paymentMethod: 'bitcoin' as const, email, language: 'en' as const };
  const offered = async () => {
    const { data } = await client.order.purchase({ body });
    const ledger = await shop.sandbox.control<{ invoices: { invoice: string }[] }>('btcpay/ledger');
    return { invoice: ledger.invoices.at(-1)!.invoice, prepaid: data?.payment?.prepaid };
  };
  const send = async (invoice: string, share: number) => {
    await shop.sandbox.control('btcpay/pay', { invoice, share });
    await shop.sandbox.control('btcpay/confirm', { invoice });
  };
  const { invoice } = await offered();
  await send(invoice, 0.5);
  await shop.sandbox.control('btcpay/expire', { invoice });
  const rest = await until(async () => {
    const next = await offered();
    return next.prepaid && next;
  }, 'an offer of the rest');
  await send(rest.invoice, 2);
  await settled(client, metadata);
}

/** Delivers a webhook event of a provider. */
async function hearOf(shop: TestShop, type: string, id: string): Promise<void> {
  const payload = JSON.stringify({
    id: `evt_${id}`,
    object: 'event',
    type,
    livemode: false,
    data: { object: { id } },
  });
  const timestamp = Math.floor(shop.clock.now().getTime() / 1000);
  const secret = shop.sandbox.webhookSecret;
  await fetch(`${shop.url}/webhooks/stripe`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp }),
    },
    body: payload,
  });
}

/** Pays with PayPal after choosing a card; the agreement is withdrawn later. */
async function payWithPaypal(shop: TestShop, email: string): Promise<void> {
  const { client, sandbox } = shop;
  const { consent, metadata } = await beginOrder(client);
  const press = async (paymentMethod: 'card' | 'paypal') => {
    const body = { ...consent, paymentMethod, email, language: 'en' as const };
    return (await client.order.purchase({ body })).data;
  };
  await press('paypal');
  await press('card');
  await sandbox.control('paypal/approve', { order: paypalOrderOf(await press('paypal')) });
  await client.order.confirmPurchase({ body: { metadata } });
  await settled(client, metadata);
  const kept = () => shop.db.selectFrom('saved_method').select('provider_ref').where('method', '=', 'paypal');
  const { provider_ref: token } = await until(() => kept().executeTakeFirst(), 'the kept account');
  await sandbox.control('paypal/vault/revoke', { token });
  await until(async () => (await kept().execute()).length === 0, 'nothing kept');
}
