import { minimumByCard } from '@fixpoint/contract/minimum-charge.ts';
import { makeCard, type OrderState, paypalOrderOf } from '@fixpoint/testkit/buyer.ts';
import type { Answer, TestClient } from '@fixpoint/testkit/client.ts';
import { type Method, paymentHandleOf } from '@fixpoint/testkit/load-test/pay.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { expect } from 'vitest';
import type { Consent } from '../../checkout/upgrading.ts';
import { type Currency, type Known, MINUTE_MS, type Simulated } from './customer.ts';
import type { Time } from './time.ts';

/** Card numbers that customers type. */
export const CARDS = {
  another: '5555555555554444',
  refused: '4000000000000002',
  /** Can be saved; later charges are declined. */
  refusedLater: '4000000000000341',
} as const;

/** Creates a card that expires in `months` months. */
export function typedCard(shop: TestShop, number: string, months = 60): Promise<string> {
  const last = new Date(shop.clock.now());
  last.setUTCMonth(last.getUTCMonth() + months, 1);
  const [exp_year, exp_month] = last.toISOString().split('-') as [string, string];
  return makeCard(shop, { number, exp_year, exp_month });
}

type State = Answer<{
  status: string;
  payment?: OrderState['payment'];
}>;
type Means = { paymentMethod: Method; cardId?: string; accountId?: string };

/** An order or open invoice to pay. */
export type Bill = {
  /** Presses Pay. */
  press(means: Means): Promise<State>;
  /** Pays with a typed card. */
  type(card: string): Promise<State>;
  /** Returns to the page. */
  look(client: TestClient): Promise<State>;
};

/** An order that changes, replaces or reactivates a subscription. */
export const orderBill = (
  { order }: TestClient,
  consent: Consent,
  call: 'purchaseLogin' | 'purchaseReactivate' = 'purchaseLogin',
): Bill => {
  const { metadata } = consent;
  return {
    press: means => order[call]({ body: { ...consent, ...means } }) as Promise<State>,
    type: card => order.confirmPurchase({ body: { metadata, card } }) as Promise<State>,
    look: client => client.order.confirmPurchase({ body: { metadata } }) as Promise<State>,
  };
};

/** A past-due invoice. */
export const invoiceBill = ({ payment }: TestClient, invoiceId: string): Bill => ({
  press: means => payment.payment({ body: { invoiceId, ...means } }) as Promise<State>,
  type: card => payment.payment({ body: { invoiceId, paymentMethod: 'card', card } }) as Promise<State>,
  look: client => client.payment.askInvoice({ body: { invoiceId } }) as Promise<State>,
});

/** A payment that a customer has begun, with the page's last answer. */
type Begun = { shop: TestShop; time: Time; bill: Bill; pressed: State };
/**
 * A way to pay. `by`: saved method that is charged at once; `only`: the only currency; `give`: what the customer does next;
 * `fails`: the payment is too low or declined.
 */
type PaymentWay = {
  method: Method;
  by?: 'card' | 'account';
  only?: Currency;
  give?(begun: Begun): Promise<unknown>;
  fails?: true;
};

const types =
  (number: string) =>
  async ({ shop, bill }: Begun) =>
    bill.type(await typedCard(shop, number));

/** Sends a share of the requested amount after a pause; an offer is valid for 15 minutes. */
const coins =
  (share: number, wait: { before?: number; after?: number } = {}) =>
  async ({ shop: { sandbox }, time, pressed }: Begun) => {
    const invoice = offered(pressed);
    if (!invoice) return;
    if (wait.before) await time.later(wait.before);
    await sandbox.control('btcpay/pay', { invoice, share });
    await sandbox.control('btcpay/confirm', { invoice });
    if (wait.after) await time.later(wait.after);
  };

const ways = {
  'the card that he keeps': { method: 'card', by: 'card' },
  'the account that he keeps': { method: 'paypal', by: 'account' },
  'a card that he types': { method: 'card', give: types(CARDS.another) },
  'a card that is refused': { method: 'card', give: types(CARDS.refused), fails: true },
  PayPal: {
    method: 'paypal',
    async give({ shop, pressed }) {
      if (!offered(pressed)) return;
      const order = paypalOrderOf(pressed.data as OrderState);
      await shop.sandbox.control('paypal/approve', { order, funding: 'balance' });
    },
  },
  PromptPay: {
    method: 'promptpay',
    only: 'THB',
    async give({ shop, pressed }) {
      const intent = offered(pressed);
      if (intent) await shop.sandbox.control('promptpay/pay', { intent });
    },
  },
  bitcoin: { method: 'bitcoin', give: coins(1) },
  'bitcoin, too much': { method: 'bitcoin', give: coins(1.5) },
  'bitcoin, late': { method: 'bitcoin', give: coins(1, { before: 20 * MINUTE_MS }) },
  'bitcoin, too little': { method: 'bitcoin', give: coins(0.5, { after: 20 * MINUTE_MS }), fails: true },
} satisfies Record<string, PaymentWay>;
export type Way = keyof typeof ways;
export const WAYS = Object.keys(ways) as Way[];

/** Invalid fields of a refused call. */
const fieldsOf = ({ data }: State): Record<string, string> =>
  (data as { fields?: Record<string, string> } | undefined)?.fields ?? {};
const isPaid = ({ data }: State): boolean => /^(paid|fulfilled|refunded)$/.test(data?.status ?? '');
/** Name of the payment at its provider; undefined when there is nothing to pay. */
const offered = ({ data }: State) => (data?.payment ? paymentHandleOf(data as OrderState)?.name : undefined);

/** Whether a customer can pay this way, by what is known of them. */
export const canPayBy = (way: Way, { keeps, currency }: Known): boolean => {
  const { by, only = currency } = ways[way] as PaymentWay;
  return only === currency && (by === undefined || keeps[by]);
};

/** Pays a bill as its customer does, and expects success where it should succeed. @returns whether it is paid */
export async function payBill(
  { shop, time }: Pick<Begun, 'shop' | 'time'>,
  simulated: Simulated,
  bill: Bill,
  way: Way,
): Promise<boolean> {
  const { method, by, give, fails } = ways[way] as PaymentWay;
  const client = await simulated.now();
  const { cards, accounts } = (await client.payment.getCard()).data!;
  const kept = { card: cards.find(({ isDefault }) => isDefault) ?? cards[0], account: accounts[0] };
  const id = by && kept[by]?.id;
  const pays = !fails && (!by || (id !== undefined && (await isChargeable(shop, id))));
  const pressed = await bill.press({ paymentMethod: method, ...(id && { [`${by}Id`]: id }) });
  const { paymentMethod: refused, card: past } = fieldsOf(pressed);
  if (refused)
    expect(await isBelowCardMinimum(shop, simulated), 'what is enough for a card is paid by it').toBe(true);
  // The card expires this month or has expired.
  if (refused || past === 'form.cardExpiry.past') return false;
  const waits = shop.clock.now();
  await give?.({ shop, time, bill, pressed });
  await shop.sweep();
  // They have logged in again if it took long.
  const { code, data } = await bill.look(shop.clock.now() > waits ? await simulated.now() : client);
  const paid = isPaid({ data } as State);
  const expected = [way, '0000', '0000', true];
  // Credit may have paid it, whatever the bank answers.
  if (pays) expect([way, pressed.code, code, paid], JSON.stringify({ pressed, data })).toEqual(expected);
  return paid;
}

/** Whether the amount due of an invoice is below the minimum of a card. */
async function isBelowCardMinimum({ db }: TestShop, simulated: Simulated): Promise<boolean> {
  const { customer_id } = await simulated.row();
  const invoices = await db
    .selectFrom('invoice')
    .select(['currency', 'total', 'credit_used', 'prepaid', 'prorated'])
    .where('customer_id', '=', customer_id)
    .where('status', 'in', ['draft', 'open'])
    .execute();
  return invoices.some(
    ({ currency, total, credit_used, prepaid, prorated }) =>
      total - credit_used - prepaid - prorated < minimumByCard(currency),
  );
}

/** Whether a saved method can be charged: its bank accepts, or its agreement is valid. */
export async function isChargeable(shop: TestShop, id: string): Promise<boolean> {
  const { good, ends } = await chargeability(shop, id);
  return good && !(ends && ends <= shop.clock.now());
}

/** Same without the expiry of a card, which is returned too. */
export async function chargeability(shop: TestShop, id: string): Promise<{ good: boolean; ends?: Date }> {
  const { method, provider_ref } = await shop.db
    .selectFrom('saved_method')
    .select(['method', 'provider_ref'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (method === 'paypal') return { good: (await shop.sandbox.paypalLedger()).tokens.includes(provider_ref) };
  const { card } = await shop.stripe.paymentMethods.retrieve(provider_ref);
  const ends = new Date(Date.UTC(card!.exp_year, card!.exp_month));
  return { good: card!.last4 !== CARDS.refusedLater.slice(-4), ends };
}
