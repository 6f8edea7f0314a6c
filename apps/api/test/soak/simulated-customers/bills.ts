import { minimumByCard } from '@fixpoint/contract/minimum-charge.ts';
import { makeCard, type OrderState, paypalOrderOf } from '@fixpoint/testkit/buyer.ts';
import type { Answer, TestClient } from '@fixpoint/testkit/client.ts';
import { type Method, paymentHandleOf } from '@fixpoint/testkit/load-test/pay.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';
import { expect } from 'vitest';
import type { Consent } from '../../checkout/upgrading.ts';
import { type Currency, type Known, MINUTE_MS, type Simulated, type Time } from './customer.ts';

/** Typed where the shop asks for a card. */
export const CARDS = {
  another: '5555555555554444',
  refused: '4000000000000002',
  /** Can be kept; what is charged to it later is refused. */
  refusedLater: '4000000000000341',
} as const;

/** A card that is good for so many months more, or for years. */
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

/** Something to be paid: an order, or an invoice that is open. */
export type Bill = {
  /** He presses Pay. */
  press(means: Means): Promise<State>;
  /** He has typed a card. */
  type(card: string): Promise<State>;
  /** He comes back to the page. */
  look(client: TestClient): Promise<State>;
};

/** An order for a subscription of his: another plan, what takes its place, what has ended. */
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

/** What he owes. */
export const invoiceBill = ({ payment }: TestClient, invoiceId: string): Bill => ({
  press: means => payment.payment({ body: { invoiceId, ...means } }) as Promise<State>,
  type: card => payment.payment({ body: { invoiceId, paymentMethod: 'card', card } }) as Promise<State>,
  look: client => client.payment.askInvoice({ body: { invoiceId } }) as Promise<State>,
});

/** A payment that somebody has begun, and what he sees of it. */
type Begun = { shop: TestShop; time: Time; bill: Bill; pressed: State };
/** A way to pay. `by`: what is kept and charged at once; `only`: it pays this currency alone; `give`: what he does then; `fails`: it is not enough, or refused. */
type Paying = {
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

/** Sends a share of what is asked for, after a while: an offer is good for 15 minutes. */
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
} satisfies Record<string, Paying>;
export type Way = keyof typeof ways;
export const WAYS = Object.keys(ways) as Way[];

/** What of a refused call is wrong. */
const fieldsOf = ({ data }: State): Record<string, string> =>
  (data as { fields?: Record<string, string> } | undefined)?.fields ?? {};
const isPaid = ({ data }: State): boolean => /^(paid|fulfilled|refunded)$/.test(data?.status ?? '');
/** By which name it is paid at its provider; undefined where nothing is to be paid there. */
const offered = ({ data }: State) => (data?.payment ? paymentHandleOf(data as OrderState)?.name : undefined);

/** Whether he can pay so, as far as he knows. */
export const canPayBy = (way: Way, { keeps, currency }: Known): boolean => {
  const { by, only = currency } = ways[way] as Paying;
  return only === currency && (by === undefined || keeps[by]);
};

/** Pays a bill as its customer does, and expects that to be enough where it is. @returns whether it is paid */
export async function payBill(
  { shop, time }: Pick<Begun, 'shop' | 'time'>,
  simulated: Simulated,
  bill: Bill,
  way: Way,
): Promise<boolean> {
  const { method, by, give, fails } = ways[way] as Paying;
  const client = await simulated.now();
  const { cards, accounts } = (await client.payment.getCard()).data!;
  const kept = { card: cards.find(({ isDefault }) => isDefault) ?? cards[0], account: accounts[0] };
  const id = by && kept[by]?.id;
  const pays = !fails && (!by || (id !== undefined && (await isGood(shop, id))));
  const pressed = await bill.press({ paymentMethod: method, ...(id && { [`${by}Id`]: id }) });
  const { paymentMethod: refused, card: past } = fieldsOf(pressed);
  if (refused)
    expect(await isBelowACard(shop, simulated), 'what is enough for a card is paid by it').toBe(true);
  // It runs out this month, or has.
  if (refused || past === 'form.cardExpiry.past') return false;
  const waits = shop.clock.now();
  await give?.({ shop, time, bill, pressed });
  await shop.sweep();
  // He has logged in again where that took long.
  const { code, data } = await bill.look(shop.clock.now() > waits ? await simulated.now() : client);
  const paid = isPaid({ data } as State);
  const expected = [way, '0000', '0000', true];
  // Credit may have paid it, whatever a bank says.
  if (pays) expect([way, pressed.code, code, paid], JSON.stringify({ pressed, data })).toEqual(expected);
  return paid;
}

/** Whether an invoice of his asks for less than a card pays. */
async function isBelowACard({ db }: TestShop, simulated: Simulated): Promise<boolean> {
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

/** Whether what is kept can be charged, by its provider: the bank of the card pays, the agreement holds. */
export async function isGood(shop: TestShop, id: string): Promise<boolean> {
  const { good, ends } = await standOf(shop, id);
  return good && !(ends && ends <= shop.clock.now());
}

/** The same apart from when a card runs out, and that instant. */
export async function standOf(shop: TestShop, id: string): Promise<{ good: boolean; ends?: Date }> {
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
