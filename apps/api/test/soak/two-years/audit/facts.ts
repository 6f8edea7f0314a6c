import { type Kysely, sql } from 'kysely';
import { WHOLE } from './prices.ts';

/*
 * What the database, the gateways and the mail server hold after two years, read without any code of the shop. The files beside
 * this one recompute all of it from these rows and from `prices.ts`, and import nothing else (`.dependency-cruiser.js`).
 */

export type Invoice = {
  id: string;
  customer_id: string;
  purpose: 'purchase' | 'renewal' | 'upgrade' | 'reactivation';
  subscription_id: string | null;
  period_start: Date | null;
  period_end: Date | null;
  status: 'draft' | 'open' | 'paid' | 'void';
  reference: string;
  series: string | null;
  serial: number | null;
  number: string | null;
  numbered_on: string | null;
  currency: string;
  net: number;
  vat: number;
  total: number;
  credit_used: number;
  prepaid: number;
  prorated: number;
  credited: number;
  carried_in: number;
  carried_out: number;
  carried_ended: number;
  created_at: Date;
  issued_at: Date | null;
  paid_at: Date | null;
  product_id: string | null;
};
export type Line = {
  invoice_id: string;
  position: number;
  text: Record<string, unknown>;
  net: number;
  vat: number;
  vat_rate_bp: number;
  total: number;
};
export type CreditNote = {
  id: string;
  invoice_id: string;
  customer_id: string;
  series: string;
  serial: number;
  number: string;
  numbered_on: string | null;
  currency: string;
  net: number;
  vat: number;
  vat_rate_bp: number;
  total: number;
  issued_at: Date;
  credited: boolean;
  pays_invoice_id: string | null;
  dispute_id: string | null;
  prorated: boolean;
};
export type Attempt = {
  id: string;
  invoice_id: string;
  customer_id: string;
  method: 'card' | 'paypal' | 'promptpay' | 'bitcoin';
  provider_ref: string | null;
  charge_ref: string | null;
  status: string;
  currency: string;
  amount: number;
  received: number;
  unapplied: number;
  fee: number | null;
  unattended: boolean;
  failure: string | null;
  created_at: Date;
};
export type Refund = {
  id: string;
  attempt_id: string;
  customer_id: string;
  currency: string;
  amount: number;
  reason: 'unapplied' | 'staff' | 'customer';
  credit_note_id: string | null;
  status: string;
  provider_ref: string | null;
  created_at: Date;
};
export type Period = {
  subscription_id: string;
  starts_at: Date;
  ends_at: Date;
  invoice_id: string;
  worth: number;
};
export type Subscription = {
  id: string;
  customer_id: string;
  product_id: string;
  first_product_id: string;
  status: string;
  currency: string;
  cycle_count: number;
  started_at: Date;
  replaced_by: string | null;
};
export type Step = { subscription_id: string; at: Date; command: string; to_status: string };
export type Customer = { id: string; email: string; status: string };
export type Amount = { customer_id: string; currency: string; amount: number };
export type Booked = { account: string; provider: string | null; currency: string; amount: number };
export type Email = { to: string; subject: string; attachments: string[] };

/** A payment, refund or withheld dispute at a gateway, in hundredths; `attempt`: as the gateway repeats it. */
export type Movement = {
  gateway: 'stripe' | 'paypal' | 'btcpay';
  kind: 'payment' | 'refund' | 'dispute';
  attempt: string;
  currency: string;
  amount: number;
  fee: number;
};

/** What a gateway says it holds for the shop in a currency, and the fees that it kept, in hundredths. */
export type Balance = { gateway: Movement['gateway']; currency: string; net: number; fees: number };

type Control = <T>(path: string) => Promise<T>;
/** A cheaper plan that a customer has chosen at an instant. */
export type Downgrade = { subscriptionId: string; plan: string; at: Date };
/** Who is behind an account. `asked`: since when nothing can be charged without them; undefined: never. */
export type Payer = { customerId: string; email: string; asked: Date | undefined };
type Source = {
  db: Kysely<never>;
  control: Control;
  emails: readonly Email[];
  downgrades: Downgrade[];
  payers: Payer[];
  /** When the two years are over. */
  until: Date;
};
export type Facts = Awaited<ReturnType<typeof readFacts>>;

export async function readFacts({ db, control, emails, downgrades, payers, until }: Source) {
  const rows = async <T>(text: string): Promise<T[]> => (await sql.raw<T>(text).execute(db)).rows;
  return {
    customers: await rows<Customer>('select id, email, status from customer order by id'),
    invoices:
      await rows<Invoice>(`select invoice.*, invoice.numbered_on::text as numbered_on, shop_order.product_id
      from invoice left join shop_order on shop_order.id = order_id order by created_at, invoice.id`),
    lines: await rows<Line>('select * from invoice_line order by invoice_id, position'),
    notes: await rows<CreditNote>(
      'select credit_note.*, numbered_on::text as numbered_on from credit_note order by issued_at, serial',
    ),
    attempts: await rows<Attempt>('select * from attempt order by created_at, id'),
    refunds: await rows<Refund>('select * from refund order by created_at, id'),
    disputes: await rows<{
      id: string;
      attempt_id: string;
      status: string;
      amount: number;
      credit_taken: number;
    }>('select * from dispute order by created_at'),
    periods: await rows<Period>('select * from subscription_period order by subscription_id, starts_at'),
    subscriptions: await rows<Subscription>(`select subscription.*, shop_order.product_id as first_product_id
      from subscription join shop_order on shop_order.id = order_id order by created_at`),
    steps: await rows<Step>('select * from subscription_history order by subscription_id, version'),
    credit: await rows<Amount>('select customer_id, currency, amount from account_credit'),
    goodwill: await rows<Amount & { created_at: Date }>('select * from goodwill'),
    ledger:
      await rows<Booked>(`select account, provider, currency, sum(amount)::bigint as amount from ledger_entry
      group by account, provider, currency having sum(amount) <> 0 order by 1, 2, 3`),
    alerts: await rows<{ kind: string; subject: string; what: Record<string, unknown> }>(
      'select * from open_alert',
    ),
    ...(await gateways(control)),
    emails: [...emails],
    downgrades,
    payers,
    until,
  };
}

const hundredths = (currency: string, amount: number) =>
  WHOLE.includes(currency.toUpperCase()) ? amount * 100 : amount;
/** Coins are worth fractions of a yen, which nobody can return. */
const wholeIn = (currency: string, amount: number) =>
  WHOLE.includes(currency) ? Math.floor(amount / 100) * 100 : amount;
const parsed = (amount: string | undefined) => Math.round(Number(amount ?? 0) * 100);

async function gateways(control: Control): Promise<{ movements: Movement[]; balances: Balance[] }> {
  type Stripe = {
    charges: {
      charge: string;
      amount: number;
      fee: number | null;
      currency: string;
      metadata: Record<string, string>;
    }[];
    refunds: { charge: string; amount: number; currency: string; status: string }[];
    disputes: { charge: string; withdrawn: number; fee: number; currency: string }[];
    balances: Record<string, { fees: number; net: number }>;
  };
  type Paypal = {
    captures: {
      order: string;
      status: string;
      amount: string;
      fee?: string;
      currency: string;
      customId: string;
    }[];
    refunds: { order: string; status: string; amount: string; currency: string }[];
    balances: Record<string, { fees: number; net: number }>;
  };
  type Btcpay = {
    invoices: { invoice: string; currency: string; settled: number; metadata: { attemptId?: string } }[];
    refunds: { invoice: string; currency: string; paid: number }[];
  };
  const stripe = await control<Stripe>('ledger');
  const paypal = await control<Paypal>('paypal/ledger');
  const btcpay = await control<Btcpay>('btcpay/ledger');
  const paidBy = new Map([
    ...stripe.charges.map(one => [one.charge, one.metadata.attempt_id!] as const),
    ...paypal.captures.map(one => [one.order, one.customId] as const),
    ...btcpay.invoices.map(one => [one.invoice, one.metadata.attemptId!] as const),
  ]);
  const of = (
    gateway: Movement['gateway'],
    kind: Movement['kind'],
    payment: string,
    [currency, amount, fee]: readonly [string, number, number],
  ): Movement => ({
    gateway,
    kind,
    attempt: paidBy.get(payment)!,
    currency: currency.toUpperCase(),
    amount,
    fee,
  });
  const movements = [
    ...stripe.charges.map(one =>
      of('stripe', 'payment', one.charge, [
        one.currency,
        hundredths(one.currency, one.amount),
        hundredths(one.currency, one.fee ?? 0),
      ]),
    ),
    ...stripe.refunds
      .filter(({ status }) => status !== 'failed' && status !== 'canceled')
      .map(one =>
        of('stripe', 'refund', one.charge, [one.currency, -hundredths(one.currency, one.amount), 0]),
      ),
    ...stripe.disputes.map(one =>
      of('stripe', 'dispute', one.charge, [
        one.currency,
        -hundredths(one.currency, one.withdrawn),
        hundredths(one.currency, one.fee),
      ]),
    ),
    ...paypal.captures
      .filter(({ status }) => status !== 'DECLINED' && status !== 'PENDING')
      .map(one => of('paypal', 'payment', one.order, [one.currency, parsed(one.amount), parsed(one.fee)])),
    ...paypal.refunds
      .filter(({ status }) => status !== 'FAILED')
      .map(one => of('paypal', 'refund', one.order, [one.currency, -parsed(one.amount), 0])),
    ...btcpay.invoices
      .filter(({ settled }) => settled > 0)
      .map(one =>
        of('btcpay', 'payment', one.invoice, [one.currency, wholeIn(one.currency, one.settled), 0]),
      ),
    ...btcpay.refunds
      .filter(({ paid }) => paid > 0)
      .map(one => of('btcpay', 'refund', one.invoice, [one.currency, -one.paid, 0])),
  ];
  const balances = [
    ...Object.entries(stripe.balances).map(([currency, { net, fees }]) => ({
      gateway: 'stripe' as const,
      currency: currency.toUpperCase(),
      net: hundredths(currency, net),
      fees: -hundredths(currency, fees),
    })),
    ...Object.entries(paypal.balances).map(([currency, { net, fees }]) => ({
      gateway: 'paypal' as const,
      currency,
      net: hundredths(currency, net),
      fees: hundredths(currency, fees),
    })),
    ...[...new Set(btcpay.invoices.map(({ currency }) => currency))].map(currency => ({
      gateway: 'btcpay' as const,
      currency,
      net: movements
        .filter(one => one.gateway === 'btcpay' && one.currency === currency)
        .reduce((sum, { amount }) => sum + amount, 0),
      fees: 0,
    })),
  ];
  return { movements, balances };
}

/** Takes all emails out of the mailbox, the oldest first: it keeps only so many. */
export async function takeEmails(sandboxUrl: string): Promise<Email[]> {
  const mail = `${sandboxUrl}/mail/api/v1`;
  const { messages } = (await (await fetch(`${mail}/messages?limit=100000`)).json()) as {
    messages: { ID: string; To: { Address: string }[]; Subject: string; Attachments: number }[];
  };
  const emails: Email[] = [];
  for (const { ID, To, Subject, Attachments } of messages.reverse()) {
    const { Attachments: files } = (
      Attachments > 0 ? await (await fetch(`${mail}/message/${ID}`)).json() : { Attachments: [] }
    ) as { Attachments: { FileName: string }[] };
    emails.push({ to: To[0]!.Address, subject: Subject, attachments: files.map(({ FileName }) => FileName) });
  }
  await fetch(`${mail}/messages`, { method: 'DELETE' });
  return emails;
}

/** How many emails are due about something, by what their subject names of it. */
export type Expected = Map<string, { least: number; most: number }>;
