import { wholeUnitsIn } from '@fixpoint/domain/kernel/money.ts';
import { DUST } from '@fixpoint/domain/payment/amount-limits.ts';
import type { Reported, ReportedRefund } from '../../ports/payment-gateway.ts';
import { bitcoins } from './amounts.ts';
import type { BtcpayInvoice, BtcpayMethod, BtcpayPayout, BtcpayPullPayment } from './shapes.ts';

/** Bitcoin on its own chain; Lightning would be another method. */
export const CHAIN = 'BTC-CHAIN';

const DUST_SATOSHI = BigInt(DUST);

type Coins = BtcpayMethod['payments'][number];
const sumOf = (coins: readonly Coins[]): bigint =>
  coins.reduce((sum, { value, fee }) => sum + value - fee, 0n);

/**
 * Maps an invoice. The coins decide, not its status: BTCPay does not update expired invoices, but
 * coins that arrive later are money all the same.
 */
export function paymentOf(invoice: BtcpayInvoice, method: BtcpayMethod): Reported {
  const { rate, payments } = method;
  const settled = payments.filter(({ status }) => status === 'Settled');
  const price = rate.wanted(invoice.amount);
  // Amounts below a unit of the currency cannot be paid otherwise: a yen has no parts.
  const units = (satoshi: bigint): number => wholeUnitsIn(invoice.currency, rate.worth(satoshi));
  /**
   * Coins that match the price are worth slightly more than it, because there is nothing smaller
   * than a satoshi.
   */
  const worth = (satoshi: bigint): number =>
    satoshi < price ? units(satoshi) : invoice.amount + units(satoshi - price);
  const [seen, there] = [sumOf(payments), sumOf(settled)];
  // What is missing is less than the network relays: nobody can send it.
  const isUnsendable = (satoshi: bigint) => satoshi > 0n && satoshi < DUST_SATOSHI;
  const asksMore = seen < price && !(seen > 0n && isUnsendable(price - seen));
  const waits = payments.length > settled.length;
  const takes = invoice.status === 'New' || invoice.status === 'Processing';
  const state =
    asksMore && takes
      ? 'open'
      : payments.length === 0
        ? 'closed'
        : there < price && waits
          ? 'processing'
          : 'succeeded';
  return {
    ref: invoice.id,
    state,
    currency: invoice.currency,
    amount: invoice.amount,
    received: worth(there),
    seen: worth(seen),
    transfers: settled.map(one => ({ ref: one.id, amount: units(one.value - one.fee) })),
    // The server belongs to the operator and takes no fee.
    ...(state === 'succeeded' && { fee: 0 }),
    ...(state === 'open' && { nextAction: scanOf(invoice, method, price - seen, seen) }),
    ...(state === 'processing' && {
      nextAction: { kind: 'wait', seen: { amount: bitcoins(seen), unit: 'BTC' } },
    }),
  };
}

function scanOf(
  { expirationTime }: BtcpayInvoice,
  { destination, paymentLink }: BtcpayMethod,
  missing: bigint,
  seen: bigint,
): Reported['nextAction'] {
  const amount = bitcoins(missing);
  const address = destination ?? '';
  return {
    kind: 'scan',
    text: paymentLink || `bitcoin:${address}?amount=${amount}`,
    address,
    amount,
    unit: 'BTC',
    ...(seen > 0n && { arrived: bitcoins(seen) }),
    expiresAt: expirationTime.toISOString(),
  };
}

/**
 * Maps a refund. It succeeds once all of it was paid to the address that its receiver named. One
 * that was archived after a partial payment stays pending.
 */
export function refundOf(pull: BtcpayPullPayment, payouts: readonly BtcpayPayout[]): ReportedRefund {
  const paid = payouts.reduce((sum, one) => (one.state === 'Completed' ? sum + one.originalAmount : sum), 0);
  const state = paid >= pull.amount ? 'succeeded' : pull.archived && paid === 0 ? 'failed' : 'pending';
  const named = payouts.some(({ state: of }) => of !== 'Cancelled');
  return {
    ref: pull.id,
    state,
    ...(state === 'failed' && { failure: 'archived' }),
    ...(state === 'pending' && !named && { asks: { kind: 'address', url: pull.viewLink } }),
  };
}
