import type { ReportedRefundState } from '@fixpoint/domain/payment/refund.ts';
import type { TransactionInformation } from '@paypal/paypal-server-sdk';
import { z } from 'zod';
import type {
  GatewayBooks,
  GatewayMovement,
  GatewayPayment,
  GatewayStatement,
  HeldBalance,
  MovementKind,
} from '../../ports/gateway-books.ts';
import { type PaypalClient, reach, unlessRefused } from './client.ts';
import { disputesSince } from './disputes.ts';
import { amountOf } from './money.ts';
import { refundOf } from './objects.ts';
import { allLines, isPayment } from './transactions.ts';

/** Event code of a refund that we requested. */
const REFUND = 'T1107';
/**
 * Event code of the fee for a dispute, charged some time after its decision and without a webhook
 * event.
 */
const DISPUTE_FEE = 'T0106';
/**
 * Event codes of money held, taken or returned for a dispute: part of the balance, but not of a
 * payment or refund.
 */
const DISPUTE = ['T1110', 'T1111', 'T1106', 'T1201', 'T1202', DISPUTE_FEE];

/** PayPal lists movements of the last three years and refuses older ranges. */
const REACH_MS = 3 * 365 * 86_400_000 - 7 * 86_400_000;

/**
 * Kinds by the first letters of an event code
 * (developer.paypal.com/docs/transaction-search/transaction-event-codes). Every other one is an
 * adjustment and shown by its code.
 */
const KINDS: readonly [RegExp, MovementKind][] = [
  [/^T01/, 'bill'],
  [/^T02/, 'exchange'],
  [/^T03/, 'topUp'],
  [/^T04/, 'payout'],
  [/^T(15|21)/, 'reserve'],
];

const balancesShape = z.object({
  balances: z.array(z.object({ currency: z.string(), total_balance: z.object({ value: z.string() }) })),
});

/**
 * PayPal's records from its Transaction Search, which lists a movement up to three hours late. The
 * app at PayPal needs that feature.
 */
export const createPaypalBooks = (client: PaypalClient): GatewayBooks => ({
  provider: 'paypal',
  methods: ['paypal'],
  reachMs: REACH_MS,

  async payments(since) {
    const { asOf, lines } = await allLines(client, since);
    return { asOf, payments: lines.filter(isReceived).flatMap(line => paymentOf(line) ?? []) };
  },

  async read(since, whole = false) {
    // The end of a second: PayPal states balances by whole seconds, and one that runs may still gain a movement.
    const until = Math.floor(client.settings.clock.now().getTime() / 1_000) * 1_000 - 1;
    const { asOf, lines } = await allLines(client, since, until);
    const disputed = await disputesSince(client, since);
    const payments: GatewayPayment[] = [];
    const refunds: GatewayStatement['refunds'][number][] = [];
    const disputes: GatewayStatement['disputes'][number][] = [];
    const movements: GatewayMovement[] = [];
    for (const line of lines) {
      const { transactionId: ref, transactionAmount: money, transactionEventCode: code = '' } = line;
      if (!ref || !money) continue;
      const currency = money.currencyCode;
      const state = stateOf(line);
      const moves = (kind: MovementKind, of?: string) =>
        movements.push({
          id: `${ref} ${code}`,
          kind,
          category: code,
          of,
          at: timeOf(line),
          currency,
          net: netOf(line),
        });
      const payment = paymentOf(line);
      if (payment) {
        if (!isReceived(line)) continue;
        payments.push({ ...payment, net: netOf(line) });
        moves('payment', ref);
      } else if (code === REFUND) {
        refunds.push({ ref, refundId: line.customField, currency, amount: -amountOf(money), state });
        if (state === 'succeeded') moves('refund', ref);
      } else if (DISPUTE.includes(code)) {
        const of = line.paypalReferenceId ?? ref;
        disputes.push({ ref: of, currency, net: netOf(line) });
        moves('dispute', of);
        if (code === DISPUTE_FEE) disputed.push(of);
      } else if (state === 'succeeded') {
        moves(...kindOf(code, ref, netOf(line)));
      }
    }
    const held = whole && (await heldBetween(client, since, asOf));
    return { asOf, payments, refunds, disputed, disputes, movements, ...(held && { held }) };
  },

  async refund(ref) {
    const refund = await unlessRefused(reach(client.payments.getRefund({ refundId: ref })), 400, 404, 422);
    if (refund === 'unknown' || !refund.amount) return undefined;
    // The refunded payment is the last segment of a link.
    const paymentRef =
      refund.links
        ?.find(({ rel }) => rel === 'up')
        ?.href.split('/')
        .at(-1) ?? '';
    const { amount } = refund;
    return {
      paymentRef,
      currency: amount.currencyCode,
      amount: amountOf(amount),
      state: refundOf(refund).state,
    };
  },

  async refundsOf({ ref }) {
    const order = await unlessRefused(reach(client.orders.getOrder({ id: ref })), 404);
    const refunds = order === 'unknown' ? [] : (order.purchaseUnits?.[0]?.payments?.refunds ?? []);
    return refunds.flatMap(refund => {
      if (!refund.amount) return [];
      const { currencyCode: currency } = refund.amount;
      return [{ ...refundOf(refund), refundId: refund.customId, currency, amount: amountOf(refund.amount) }];
    });
  },
});

/** A line of money that came, except for one that was denied or is pending. */
const isReceived = (line: TransactionInformation): boolean =>
  // A fully refunded payment is "reversed": its money had come, and its refund has its own line.
  isPayment(line) && (line.transactionStatus === 'S' || line.transactionStatus === 'V');

function paymentOf(line: TransactionInformation): GatewayPayment | undefined {
  const { transactionId: ref, transactionAmount: money, customField: attemptId } = line;
  if (!ref || !money || !isPayment(line)) return undefined;
  return { ref, attemptId, currency: money.currencyCode, received: amountOf(money), at: timeOf(line) };
}

/** Kind of a movement that belongs to no sale; a payout also by its reference. */
function kindOf(code: string, ref: string, net: number): [kind: MovementKind, of?: string] {
  const kind = KINDS.find(([pattern]) => pattern.test(code))?.[1] ?? 'adjustment';
  return kind === 'payout' ? [net > 0 ? 'payoutReturned' : 'payout', ref] : [kind];
}

/** Balances before the first movement and after the last listed one. */
async function heldBetween(client: PaypalClient, since: Date, asOf: Date): Promise<HeldBalance> {
  const [before, now] = [await balancesAt(client, since), await balancesAt(client, asOf)];
  return before && now ? { before, now } : 'forbidden';
}

async function balancesAt(client: PaypalClient, at: Date): Promise<Record<string, number> | undefined> {
  const path = `v1/reporting/balances?as_of_time=${encodeURIComponent(at.toISOString())}`;
  const said = await unlessRefused(client.get(balancesShape, path), 403);
  if (said === 'unknown') return undefined;
  return Object.fromEntries(
    said.balances.map(({ currency, total_balance: { value } }) => [
      currency,
      amountOf({ currencyCode: currency, value }),
    ]),
  );
}

const timeOf = ({ transactionInitiationDate: at }: TransactionInformation): Date =>
  new Date(at === undefined ? 0 : Date.parse(at));

const stateOf = ({ transactionStatus }: TransactionInformation): ReportedRefundState =>
  transactionStatus === 'S' ? 'succeeded' : transactionStatus === 'P' ? 'pending' : 'failed';

/** Fees are negative. */
const netOf = ({ transactionAmount, feeAmount }: TransactionInformation): number =>
  (transactionAmount ? amountOf(transactionAmount) : 0) + (feeAmount ? amountOf(feeAmount) : 0);
