import type { OrderState } from '@fixpoint/testkit/buyer.ts';
import { beginOrder, clientSecretOf, confirmCard, until } from '@fixpoint/testkit/buyer.ts';
import { startTestShop, type TestShop } from '@fixpoint/testkit/shop.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { checkDatabase } from '../src/modules/books/index.ts';

/** Buying with PayPal: agreed to there, taken by us, once or never. */
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const provider = 'paypal';
const CAPTURES = { provider, path: 'POST /v2/checkout/orders/*/capture' } as const;
const EVENTS = { provider, event: '*' } as const;
let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterEach(async () => {
  await shop.sandbox.calm();
  expect(await checkDatabase(shop.db, shop.clock.now())).toEqual([]);
});
afterAll(() => shop?.stop());

/** Where the page of an order leads. @throws when it does not lead to PayPal */
function paypalOrderOf(order: Pick<OrderState, 'payment'> | undefined): string {
  const payable = order?.payment?.payable;
  if (payable?.kind !== 'redirect') throw new Error('This order does not lead to PayPal');
  return new URL(payable.url).searchParams.get('token')!;
}

async function newOrder(name: string) {
  const { consent, metadata } = await beginOrder(shop.client);
  const email = `${name}@example.com`;
  const press = async (paymentMethod: 'paypal' | 'card' = 'paypal') => {
    const body = { ...consent, paymentMethod, email, language: 'en' as const };
    return (await shop.client.order.purchase({ body })).data;
  };
  const confirm = () => shop.client.order.confirmPurchase({ body: { metadata } });
  return { metadata, email, press, confirm };
}
type NewOrder = Awaited<ReturnType<typeof newOrder>>;

const approve = (order: string, funding = 'balance') =>
  shop.sandbox.control('paypal/approve', { order, funding });
const statusOf = async ({ metadata }: NewOrder) =>
  (await shop.client.order.purchaseData({ body: { metadata } })).data!.status;
const is = (order: NewOrder, status: string) =>
  until(async () => (await statusOf(order)) === status, `an order that is ${status}`);
const capturesOf = async (...orders: string[]) =>
  (await shop.sandbox.paypalLedger()).captures.filter(({ order }) => orders.includes(order));
const attemptsOf = ({ email }: NewOrder) =>
  shop.db
    .selectFrom('attempt')
    .innerJoin('invoice', 'invoice.id', 'attempt.invoice_id')
    .innerJoin('shop_order', 'shop_order.id', 'invoice.order_id')
    .selectAll('attempt')
    .where('shop_order.email', '=', email)
    .orderBy('attempt_no')
    .execute();
const later = async (ms: number) => {
  shop.clock.advance(ms);
  await shop.sweep();
};

describe('bought with PayPal', () => {
  test('is what the buyer agreed to, taken when he comes back', async () => {
    const order = await newOrder('back');
    const paypal = paypalOrderOf(await order.press());
    expect((await order.confirm()).data).toMatchObject({ status: 'awaitingPayment', underWay: false });
    expect(paypalOrderOf(await order.press())).toBe(paypal);
    await shop.sandbox.fault(EVENTS, 'drop', 10);
    await approve(paypal);
    const { data } = await order.confirm();
    expect(data).toMatchObject({ status: expect.stringMatching(/^(paid|fulfilled)$/), underWay: false });
    await is(order, 'fulfilled');
    const [attempt] = await attemptsOf(order);
    expect(attempt).toMatchObject({ status: 'succeeded', received: 199_00, fee: 19_76, excess: 0 });
    expect(await capturesOf(paypal)).toMatchObject([
      { status: 'COMPLETED', amount: '199.00', customId: attempt!.id, capture: attempt!.charge_ref },
    ]);
  });

  test('P29 is taken also when he closes the window', async () => {
    const order = await newOrder('closed-window');
    const paypal = paypalOrderOf(await order.press());
    await approve(paypal);
    await is(order, 'fulfilled');
    expect(await capturesOf(paypal)).toHaveLength(1);
  });

  test('is taken also when no news of it ever comes', async () => {
    const order = await newOrder('no-news');
    const paypal = paypalOrderOf(await order.press());
    await shop.sandbox.fault(EVENTS, 'drop', 10);
    await approve(paypal);
    await later(2 * MINUTE_MS);
    await is(order, 'fulfilled');
  });

  test('FM1 is taken once, however many hear of it at once', async () => {
    const order = await newOrder('all-at-once');
    const paypal = paypalOrderOf(await order.press());
    await shop.sandbox.fault(EVENTS, { duplicate: 5 }, 10);
    await approve(paypal);
    await Promise.all(Array.from({ length: 8 }, (_, n) => (n % 2 ? order.confirm() : order.press())));
    await is(order, 'fulfilled');
    expect(await capturesOf(paypal)).toHaveLength(1);
    expect(await attemptsOf(order)).toMatchObject([{ status: 'succeeded', excess: 0 }]);
  });

  test.each(['commitThenDropConnection', 'drop', '500', '500AfterCommit'])(
    'FM1 is taken once when taking it ends with %s',
    async how => {
      const order = await newOrder(`lost-${how.toLowerCase()}`);
      const paypal = paypalOrderOf(await order.press());
      await shop.sandbox.fault(EVENTS, 'drop', 10);
      await approve(paypal);
      await shop.sandbox.fault(CAPTURES, how);
      expect(await order.confirm()).toMatchObject({ code: '9901' });
      // What may be under way is waited for, not offered again.
      expect(await order.press()).toMatchObject({ status: expect.not.stringMatching('failed') });
      await later(2 * MINUTE_MS);
      await is(order, 'fulfilled');
      expect(await capturesOf(paypal)).toHaveLength(1);
      expect(await attemptsOf(order)).toMatchObject([{ status: 'succeeded', excess: 0 }]);
    },
  );

  test('from a bank is paid when the bank has answered, and refused when it refuses', async () => {
    for (const [outcome, status] of [
      ['completed', 'fulfilled'],
      ['declined', 'failed'],
    ] as const) {
      const order = await newOrder(`bank-${outcome}`);
      const paypal = paypalOrderOf(await order.press());
      await approve(paypal, 'bank');
      await until(async () => (await attemptsOf(order))[0]!.status === 'processing', 'the pending payment');
      const { data } = await order.confirm();
      expect(data).toMatchObject({ status: 'awaitingPayment', underWay: true });
      const { capture } = (await capturesOf(paypal))[0]!;
      await shop.sandbox.control('paypal/captures/settle', { capture, outcome });
      await is(order, status);
    }
  });
});

describe('what is closed is never taken', () => {
  test('when the buyer has paid by card meanwhile, in another tab', async () => {
    const order = await newOrder('other-tab');
    const paypal = paypalOrderOf(await order.press());
    const secret = clientSecretOf(await order.press('card'));
    expect(await attemptsOf(order)).toMatchObject([
      { method: 'paypal', status: 'closed' },
      { method: 'card' },
    ]);
    await approve(paypal);
    await confirmCard(shop, secret);
    await is(order, 'fulfilled');
    await order.confirm();
    await later(2 * MINUTE_MS);
    expect(await capturesOf(paypal)).toEqual([]);
  });

  test('when he comes back from PayPal with the card open: the card’s payment is closed, and none is made twice', async () => {
    const order = await newOrder('card-first');
    const secret = clientSecretOf(await order.press('card'));
    const paypal = paypalOrderOf(await order.press());
    expect((await confirmCard(shop, secret)).status).toBe(400);
    await approve(paypal);
    await is(order, 'fulfilled');
    expect(await capturesOf(paypal)).toHaveLength(1);
  });

  test('when the order has run out before he agrees', async () => {
    const order = await newOrder('too-late');
    const paypal = paypalOrderOf(await order.press());
    await shop.db
      .updateTable('shop_order')
      .set({ expires_at: shop.clock.now() })
      .where('email', '=', order.email)
      .execute();
    await later(MINUTE_MS);
    await is(order, 'expired');
    await approve(paypal);
    await later(2 * MINUTE_MS);
    await order.confirm();
    expect(await capturesOf(paypal)).toEqual([]);
    expect(await statusOf(order)).toBe('expired');
  });

  test('when its invoice takes no money any more', async () => {
    const order = await newOrder('void');
    const paypal = paypalOrderOf(await order.press());
    const { invoice_id } = (await attemptsOf(order))[0]!;
    await shop.db.updateTable('invoice').set({ status: 'void' }).where('id', '=', invoice_id).execute();
    await approve(paypal);
    await until(async () => (await attemptsOf(order))[0]!.status === 'closed', 'the closed attempt');
    await later(2 * MINUTE_MS);
    expect(await capturesOf(paypal)).toEqual([]);
  });

  test('FM2 and what was taken all the same goes back', async () => {
    const order = await newOrder('taken-anyway');
    const paypal = paypalOrderOf(await order.press());
    await confirmCard(shop, clientSecretOf(await order.press('card')));
    await is(order, 'fulfilled');
    await shop.sandbox.fault(EVENTS, 'drop', 1);
    await approve(paypal);
    // As if a worker had stood still between its look at the invoice and its call.
    await shop.db
      .updateTable('attempt')
      .set({ status: 'processing', updated_at: new Date(shop.clock.now().getTime() - MINUTE_MS) })
      .where('provider_ref', '=', paypal)
      .execute();
    const token = await accessToken();
    await fetch(`${shop.sandboxUrl}/v2/checkout/orders/${paypal}/capture`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'paypal-request-id': 'late' },
    });
    await until(async () => (await shop.sandbox.paypalLedger()).refunds.length === 1, 'the refund');
    await until(async () => (await attemptsOf(order))[0]!.excess === 199_00, 'the excess');
    expect((await shop.sandbox.paypalLedger()).refunds).toMatchObject([
      { order: paypal, status: 'COMPLETED', amount: '199.00', customId: expect.stringMatching(/^ref_/) },
    ]);
    await later(MINUTE_MS);
  });
});

async function accessToken(): Promise<string> {
  const { clientId, secret } = shop.sandbox.paypal;
  const answer = await fetch(`${shop.sandboxUrl}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

describe('refused', () => {
  test('it says so, asks PayPal no second time by itself, and the next try pays once', async () => {
    const order = await newOrder('refused');
    const first = paypalOrderOf(await order.press());
    await shop.sandbox.fault(CAPTURES, { delayBefore: 1 }, 100);
    await approve(first, 'refusedCard');
    await is(order, 'failed');
    expect((await order.confirm()).data).toMatchObject({ status: 'failed', failure: '2002' });
    await later(2 * MINUTE_MS);
    const { struck } = await shop.sandbox.control<{ struck: object }>('faults');
    expect(struck).toEqual({ delayBefore: 1 });
    const second = paypalOrderOf(await order.press());
    expect(second).not.toBe(first);
    await approve(second);
    await is(order, 'fulfilled');
    expect(await capturesOf(first, second)).toMatchObject([{ order: second }]);
    expect(await attemptsOf(order)).toMatchObject([{ status: 'closed' }, { status: 'succeeded' }]);
  });

  test('what PayPal has forgotten after hours is begun anew', async () => {
    const order = await newOrder('forgotten');
    const first = paypalOrderOf(await order.press());
    await later(4 * HOUR_MS);
    const second = paypalOrderOf(await order.press());
    expect(second).not.toBe(first);
    await approve(second);
    await is(order, 'fulfilled');
  });

  test('a currency that PayPal does not take is not offered with it', async () => {
    const { metadata } = await newOrder('currency');
    const id = metadata.split('|')[3]!;
    const methods = async () =>
      (await shop.client.order.getPaymentMethod({ query: { id } })).data!.methods.map(({ method }) => method);
    expect(await methods()).toEqual(['card', 'paypal']);
    await shop.db
      .updateTable('shop_order')
      .set({ currency: 'KRW' })
      .where('product_id', 'is not', null)
      .where('status', '=', 'draft')
      .execute();
    expect(await methods()).toEqual(['card']);
  });
});

describe('P30 an account that may be charged again', () => {
  const savedOf = ({ email }: NewOrder) =>
    shop.db
      .selectFrom('saved_method')
      .innerJoin('customer', 'customer.id', 'saved_method.customer_id')
      .select(['saved_method.method', 'account', 'provider_ref'])
      .where('customer.email', '=', email)
      .execute();

  test('is kept by its masked name, also when PayPal needs a while, and goes when its owner withdraws it', async () => {
    const order = await newOrder('kept');
    await shop.sandbox.control('paypal/vault/late', { ms: 5 * MINUTE_MS });
    await approve(paypalOrderOf(await order.press()));
    await is(order, 'fulfilled');
    await shop.sandbox.control('paypal/vault/late', { ms: 0 });
    expect(await savedOf(order)).toEqual([]);
    shop.clock.advance(6 * MINUTE_MS);
    await shop.sandbox.catchUp();
    const [saved] = await until(async () => {
      const rows = await savedOf(order);
      return rows.length > 0 && rows;
    }, 'the kept account');
    expect(saved).toMatchObject({ method: 'paypal', account: 's***@buyer.example' });
    await shop.sandbox.control('paypal/vault/revoke', { token: saved!.provider_ref });
    await until(async () => (await savedOf(order)).length === 0, 'nothing kept');
  });
});

test('the way back leads to the order page, in the language that is remembered, without PayPal’s names', async () => {
  const back = async (path: string, cookie = '') =>
    (await fetch(`${shop.url}${path}`, { redirect: 'manual', headers: { cookie } })).headers.get('location');
  expect(await back('/back/agreed?token=O1&PayerID=P1')).toBe('/#/en/order?back=agreed');
  expect(await back('/back/cancelled?token=O1', 'a=b; i18n_redirected=th')).toBe(
    '/#/th/order?back=cancelled',
  );
  expect(await back('/back/agreed', 'i18n_redirected=xx')).toBe('/#/en/order?back=agreed');
});
