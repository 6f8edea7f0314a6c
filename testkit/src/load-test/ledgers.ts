import type { Db } from '@fixpoint/api/ports/database.ts';
import { fromProviderUnit, wholeUnitsIn } from '@fixpoint/domain/kernel/money.ts';
import type { BtcpayLedger } from '@fixpoint/sandbox/btcpay/ledger.ts';
import type { Ledger } from '@fixpoint/sandbox/control/ledger.ts';
import type { PaypalLedger } from '@fixpoint/sandbox/paypal/ledger.ts';
import { sql } from 'kysely';
import type { controlOf } from '../sandbox.ts';

type Control = ReturnType<typeof controlOf>;

/** Our money at all providers by their own ledgers, in hundredths. */
export type Ledgers = {
  /** Balances after fees, by `provider currency`. */
  balances: ReadonlyMap<string, number>;
  /** Received minus refunded, by the attempt's id. */
  kept: ReadonlyMap<string, number>;
};

/** Sums that start at zero. */
function sums() {
  const map = new Map<string, number>();
  return { map, add: (name: string, amount: number) => map.set(name, (map.get(name) ?? 0) + amount) };
}

/** Reads the ledgers of the sandbox directly, without the shop's adapters. */
export async function readLedgers(control: Control): Promise<Ledgers> {
  const [stripe, paypal, btcpay] = [
    await control<Ledger>('ledger'),
    await control<PaypalLedger>('paypal/ledger'),
    await control<BtcpayLedger>('btcpay/ledger'),
  ];
  const balances = sums();
  const netReceived = sums();

  for (const [currency, { net }] of Object.entries(stripe.balances)) {
    balances.add(`stripe ${currency.toUpperCase()}`, fromProviderUnit(currency, net));
  }
  for (const { metadata, currency, amount, refunded } of stripe.charges) {
    netReceived.add(metadata.attempt_id ?? 'nobody', fromProviderUnit(currency, amount - refunded));
  }

  for (const [currency, { net }] of Object.entries(paypal.balances)) {
    balances.add(`paypal ${currency}`, fromProviderUnit(currency, net));
  }
  const customIdOf = new Map(paypal.captures.map(({ order, customId }) => [order, customId]));
  for (const { status, customId, amount } of paypal.captures) {
    if (status !== 'PENDING' && status !== 'DECLINED') netReceived.add(customId, hundredths(amount));
  }
  for (const { status, order, amount } of paypal.refunds) {
    if (status !== 'FAILED') netReceived.add(customIdOf.get(order)!, -hundredths(amount));
  }

  const invoiceOf = new Map(btcpay.invoices.map(one => [one.invoice, one]));
  const attemptOf = (invoice: string) => String(invoiceOf.get(invoice)?.metadata.attemptId ?? 'nobody');
  for (const { invoice, currency, settled } of btcpay.invoices) {
    const units = wholeUnitsIn(currency, settled);
    balances.add(`btcpay ${currency}`, units);
    netReceived.add(attemptOf(invoice), units);
  }
  for (const { invoice, currency, paid } of btcpay.refunds) {
    balances.add(`btcpay ${currency}`, -paid);
    netReceived.add(attemptOf(invoice), -paid);
  }
  return { balances: balances.map, kept: netReceived.map };
}

/** The shop's own bookings, in the form of {@link Ledgers.balances}. */
export async function bookedBalances(db: Db): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ name: string; sum: number }>`
    select provider || ' ' || currency as name, sum(amount)::bigint as sum from ledger_entry where account = 'provider'
    group by name`.execute(db);
  return new Map(rows.map(({ name, sum }) => [name, sum]));
}

const hundredths = (decimal: string): number => Math.round(Number(decimal) * 100);

/** Payments and refunds that wait for a third party, by the provider's ids. */
export async function readPending(
  control: Control,
): Promise<{ captures: string[]; coins: string[]; refunds: string[] }> {
  const { captures } = await control<PaypalLedger>('paypal/ledger');
  const { invoices } = await control<BtcpayLedger>('btcpay/ledger');
  const { refunds } = await control<Ledger>('ledger');
  return {
    captures: captures.filter(({ status }) => status === 'PENDING').map(({ capture }) => capture),
    coins: invoices.filter(({ pending }) => pending > 0).map(({ invoice }) => invoice),
    refunds: refunds.filter(({ status }) => status === 'requires_action').map(({ refund }) => refund),
  };
}
