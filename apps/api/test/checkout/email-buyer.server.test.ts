import {
  beginOrder,
  cardPaymentOf,
  confirmCard,
  emailTo,
  logInByEmail,
  PASSWORD,
  until,
} from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount } from '../../src/modules/account/index.ts';
import { eraseOrders } from '../../src/modules/checkout/index.ts';
import { whileLocked } from '../helpers/while-locked.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop?.stop());

const DAY_MS = 24 * 60 * 60_000;
const LINK = /token=([\w-]+)/;

/** Buys as a guest until the subscription is active. @returns the order's metadata */
async function buy(email: string): Promise<string> {
  const { consent, metadata } = await beginOrder(shop.client);
  const bought = await shop.client.order.purchase({ body: { ...consent, email, language: 'en' } });
  await confirmCard(shop, cardPaymentOf(bought.data));
  await shop.client.order.confirmPurchase({ body: { metadata } });
  await until(
    async () =>
      (await shop.client.order.purchaseData({ body: { metadata } })).data?.subscription?.status === 'active',
    'the subscription',
  );
  return metadata;
}
const change = (metadata: string, email: string) =>
  shop.client.guest.changeEmail({ body: { metadata, email } });
const again = (metadata: string) => shop.client.guest.sendAgain({ body: { metadata } });
/** Number of emails with a link that an address has got. */
async function emailsTo(email: string): Promise<number> {
  await shop.sweep();
  const query = encodeURIComponent(`to:${email}`);
  const found = await fetch(`${shop.sandboxUrl}/mail/api/v1/search?query=${query}`);
  return ((await found.json()) as { messages: unknown[] }).messages.length;
}
const refused = { code: '7004', data: { fields: { email: 'form.email.fixed' } } };

test('FU6 a buyer corrects a mistyped address once: link and receipt go to the new one, and the first link stops working', async () => {
  const metadata = await buy('mistyped@example.com');
  const wrong = LINK.exec((await emailTo(shop, 'mistyped@example.com', LINK)).Text)![1]!;
  // The receipt was sent already, so the new address gets it again.
  await emailTo(shop, 'mistyped@example.com', /Receipt number/);
  const documents = () => shop.db.selectFrom('document').select('id').execute();
  const [billedToWrong] = await documents();
  expect(await change(metadata, 'meant@example.com')).toMatchObject({ code: '0000' });
  await emailTo(shop, 'meant@example.com', /Receipt number/);
  // It bills to the new address, so it is another document.
  const [billed, ...others] = await documents();
  expect(billed).not.toEqual(billedToWrong);
  expect(others).toEqual([]);
  const { client } = await logInByEmail(shop, 'meant@example.com');
  expect((await client.subscription.mySubscription({ body: {} })).data?.items).toHaveLength(1);
  const late = await shop.client.auth.setPassword(
    { body: { password: PASSWORD } },
    { authorization: `Bearer ${wrong}` },
  );
  expect(late.code).not.toBe('0000');
  expect(await change(metadata, 'third@example.com')).toMatchObject(refused);
  const kept = await shop.db
    .selectFrom('shop_order')
    .innerJoin('invoice', 'invoice.order_id', 'shop_order.id')
    .select(['shop_order.email', 'invoice.buyer'])
    .where('shop_order.email', 'in', ['mistyped@example.com', 'meant@example.com'])
    .execute();
  expect(kept).toEqual([{ email: 'meant@example.com', buyer: { email: 'meant@example.com' } }]);
});

test('FU6 a buyer who enters the same address gets the email again and can still correct it', async () => {
  const metadata = await buy('same@example.com');
  await emailTo(shop, 'same@example.com', LINK);
  expect(await change(metadata, 'same@example.com')).toMatchObject({ code: '9905' });
  shop.clock.advance(61_000);
  const emails = await emailsTo('same@example.com');
  expect(await change(metadata, 'same@example.com')).toMatchObject({ code: '0000' });
  expect(await emailsTo('same@example.com')).toBe(emails + 1);
  expect(await change(metadata, 'right@example.com')).toMatchObject({ code: '0000' });
  await logInByEmail(shop, 'right@example.com');
});

test('FU6 a used link and an existing account are refused in the same way', async () => {
  const used = await buy('used@example.com');
  await logInByEmail(shop, 'used@example.com');
  expect(await change(used, 'elsewhere@example.com')).toMatchObject(refused);
  const foreign = await buy('used@example.com');
  expect(await change(foreign, 'mine@example.com')).toMatchObject(refused);
  expect(await emailsTo('elsewhere@example.com')).toBe(0);
});

test('A3 an address with an account gets the usual answer, and only its owner learns why no email comes', async () => {
  const { email: known } = await shop.customer('known-already');
  const outcomes = [];
  for (const [typed, meant] of [
    ['wrong-one@example.com', known],
    ['wrong-two@example.com', 'known-nowhere@example.com'],
  ] as const) {
    const metadata = await buy(typed);
    await emailTo(shop, typed, LINK);
    const answers = [await change(metadata, meant), await change(metadata, 'third@example.com')];
    const { data } = await shop.client.order.purchaseData({ body: { metadata } });
    answers.push(await again(metadata));
    const emails = await emailsTo(typed);
    shop.clock.advance(61_000);
    answers.push(await again(metadata));
    // No more email goes to the wrong address.
    expect(await emailsTo(typed)).toBe(emails);
    outcomes.push({ answers: answers.map(({ code, data: said }) => ({ code, said })), shown: data?.email });
  }
  expect(outcomes[0]).toEqual(outcomes[1]);
  const { Text } = await emailTo(shop, known, /order that was placed with another one/);
  expect(Text).not.toContain('token=');
  // The order stays with its owner, and the link in the old email is void.
  const opened = LINK.exec((await emailTo(shop, 'wrong-one@example.com', LINK)).Text)![1]!;
  const late = await shop.client.auth.setPassword(
    { body: { password: PASSWORD } },
    { authorization: `Bearer ${opened}` },
  );
  expect(late.code).not.toBe('0000');
  const owner = shop.db
    .selectFrom('subscription')
    .innerJoin('customer', 'customer.id', 'subscription.customer_id')
    .select('subscription.id')
    .where('email', '=', 'wrong-one@example.com');
  expect(await owner.execute()).toHaveLength(1);
  // The order's address is erased with its account.
  const { id } = await shop.db
    .selectFrom('customer')
    .select('id')
    .where('email', '=', known)
    .executeTakeFirstOrThrow();
  await shop.db
    .transaction()
    .execute(tx => eraseOrders(tx, { id, email: known, pseudonym: `${id}@example.invalid` }));
  const left = await shop.db.selectFrom('shop_order').select('id').where('email', '=', known).execute();
  expect(left).toEqual([]);
});

/** Buys as a guest and pays half by bitcoin, which becomes credit of an account with that address. */
async function payHalf(email: string): Promise<void> {
  const { consent } = await beginOrder(shop.client);
  const body = { ...consent, paymentMethod: 'bitcoin' as const, email, language: 'en' as const };
  expect((await shop.client.order.purchase({ body })).code).toBe('0000');
  const { ref } = await shop.db
    .selectFrom('attempt')
    .innerJoin('invoice', 'invoice.id', 'attempt.invoice_id')
    .innerJoin('shop_order', 'shop_order.id', 'invoice.order_id')
    .select('attempt.provider_ref as ref')
    .where('shop_order.email', '=', email)
    .where('attempt.method', '=', 'bitcoin')
    .executeTakeFirstOrThrow();
  await shop.sandbox.control('btcpay/pay', { invoice: ref, share: 0.5 });
  await shop.sandbox.control('btcpay/confirm', { invoice: ref });
  await until(async () => {
    shop.clock.advance(DAY_MS / 4);
    await shop.sweep();
    return shop.db
      .selectFrom('account_credit')
      .innerJoin('customer', 'customer.id', 'account_credit.customer_id')
      .select('amount')
      .where('email', '=', email)
      .executeTakeFirst();
  }, 'the credit');
}

test('S29 a buyer for an address gets nothing that another guest has paid with it', async () => {
  await payHalf('paid-before@example.com');
  const gift = await buy('paid-before@example.com');
  expect(await change(gift, 'thief@example.com')).toMatchObject(refused);
  const made = await buy('paid-after@example.com');
  await payHalf('paid-after@example.com');
  expect(await change(made, 'thief@example.com')).toMatchObject(refused);
});

test('S29 money that arrives during a correction belongs to the owner of the address', async () => {
  const { email } = await shop.customer('mended');
  const account = createAccount({ clock: shop.clock });
  const given = await whileLocked(
    shop,
    `select from customer where email = '${email}' for update`,
    () =>
      shop.db.transaction().execute(async tx => {
        const { id } = await account.ensure(tx, email, 'en');
        await account.holdActive(tx, id);
        return account.byId(tx, id);
      }),
    holder => holder.query(`update customer set email = 'meant-it@example.com' where email = '${email}'`),
  );
  expect(given).toMatchObject({ email });
});

test('FU6 of two concurrent corrections one succeeds, and the account has one address', async () => {
  const metadata = await buy('twice@example.com');
  const answers = await Promise.all(['one', 'two'].map(name => change(metadata, `${name}@example.com`)));
  expect(answers.map(({ code }) => code).sort()).toEqual(['0000', '7004']);
});

test('FU6 the email is sent again after the pause, up to the limit, and its link works', async () => {
  const metadata = await buy('waiting@example.com');
  const shown = async () => (await shop.client.order.purchaseData({ body: { metadata } })).data?.resendIn;
  const soon = await again(metadata);
  expect(soon).toMatchObject({ status: 429, code: '9905', data: { resendIn: expect.any(Number) } });
  const before = await emailsTo('waiting@example.com');
  shop.clock.advance(61_000);
  expect(await shown()).toBe(0);
  expect(await again(metadata)).toMatchObject({ code: '0000', data: { resendIn: 60 } });
  // A reloaded page gets the same countdown.
  expect(await shown()).toBe(60);
  expect(await again(metadata)).toMatchObject({ code: '9905' });
  expect(await emailsTo('waiting@example.com')).toBe(before + 1);
  const codes: string[] = [];
  for (let count = 0; count < 6; count++) {
    shop.clock.advance(61_000);
    codes.push((await again(metadata)).code);
  }
  expect(codes.at(-1)).toBe('9905');
  expect(await shown()).toBeGreaterThan(60 * 60);
  await logInByEmail(shop, 'waiting@example.com');
});

test('FU21 the answer does not reveal whether an address has an account', async () => {
  const { email } = await shop.customer('known');
  const [known, strange] = [await buy(email), await buy('strange@example.com')];
  await shop.sweep();
  shop.clock.advance(61_000);
  const views = await Promise.all(
    [known, strange].map(async metadata => {
      const { data } = await shop.client.order.purchaseData({ body: { metadata } });
      const { status, code, data: told } = await again(metadata);
      return { keys: Object.keys(data!).sort(), emailed: data!.emailed, again: { status, code, told } };
    }),
  );
  expect(views[0]!.keys).toEqual(views[1]!.keys);
  expect(views[0]!.emailed).toBe(views[1]!.emailed);
  expect(views[0]!.again).toEqual(views[1]!.again);
});
