import type Stripe from 'stripe';
import { unexpectedState } from './errors.ts';
import { testCardOf } from './methods.ts';
import { newBalanceTransaction } from './objects/balance-transaction.ts';
import { newRefund } from './objects/refund.ts';
import { type Cause, changes, emit, later, type World } from './world.ts';

/** How long a bank takes over a refund that does not succeed at once. */
const BANK_MS = 3_000;

/** What of a charge is not refunded and not on its way back. */
export function refundable(world: World, charge: Stripe.Charge): number {
  const open = world.refunds
    .all()
    .filter(
      refund =>
        refund.charge === charge.id && (refund.status === 'pending' || refund.status === 'requires_action'),
    );
  return (
    charge.amount_captured - charge.amount_refunded - open.reduce((sum, refund) => sum + refund.amount, 0)
  );
}

/**
 * Gives money back (P15, P22). Test card 7726 stays pending for a while, 5126 fails later, PromptPay
 * waits for the customer's bank details. A pending refund does not raise `amount_refunded` before it succeeds.
 */
export function createRefund(
  world: World,
  cause: Cause,
  charge: Stripe.Charge,
  wanted: { amount?: number; reason: Stripe.Refund.Reason | null; metadata: Stripe.Metadata },
): Stripe.Refund {
  checkRefundable(world, charge, wanted.amount);
  const amount = wanted.amount ?? refundable(world, charge);
  const id = world.ids.next('re_');
  const method = world.paymentMethods.get(String(charge.payment_method));
  const promptPay = method?.type === 'promptpay';
  const behaviour = method && testCardOf(world, method)?.refund;
  const made: Stripe.Refund = {
    ...newRefund(id, world.clock.seconds(), amount, charge, wanted.reason, wanted.metadata),
    status: promptPay ? 'requires_action' : 'pending',
    ...(promptPay && {
      instructions_email: method.billing_details.email ?? undefined,
      next_action: {
        type: 'display_details',
        display_details: {
          email_sent: {
            email_sent_at: world.clock.seconds(),
            email_sent_to: method.billing_details.email ?? '',
          },
          expires_at: world.clock.seconds() + 45 * 86_400,
        },
      },
    }),
  };
  const refund = world.refunds.put(id, behaviour === 'pending' || promptPay ? made : succeed(world, made));
  emit(world, cause, 'refund.created', refund);
  emit(world, cause, 'charge.refunded', world.charges.get(charge.id)!);
  if (behaviour)
    later(world, BANK_MS, {
      kind: 'settleRefund',
      refund: id,
      outcome: behaviour === 'fails' ? 'failed' : 'succeeded',
    });
  return refund;
}

function checkRefundable(world: World, charge: Stripe.Charge, amount: number | undefined): void {
  if (charge.status !== 'succeeded') {
    throw unexpectedState(`Charge ${charge.id} has not succeeded; cannot issue a refund.`, {
      param: 'charge',
    });
  }
  if (charge.disputed) {
    throw unexpectedState(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
      charge: charge.id,
    });
  }
  if (charge.refunded || refundable(world, charge) === 0) {
    throw unexpectedState(`Charge ${charge.id} has already been refunded.`, {
      code: 'charge_already_refunded',
      charge: charge.id,
    });
  }
  const left = refundable(world, charge);
  if (amount !== undefined && amount > left) {
    const shown = (value: number) => money(value, charge.currency);
    throw unexpectedState(
      `Refund amount (${shown(amount)}) is greater than unrefunded amount on charge (${shown(left)})`,
      { param: 'amount' },
    );
  }
}

/** Books a successful refund: balance, charge, and the refund itself. */
function succeed(world: World, refund: Stripe.Refund): Stripe.Refund {
  const charge = world.charges.get(String(refund.charge))!;
  const amount_refunded = charge.amount_refunded + refund.amount;
  world.charges.put(charge.id, {
    ...charge,
    amount_refunded,
    refunded: amount_refunded === charge.amount_captured,
  });
  const transaction = book(world, refund, -refund.amount, 'refund');
  const { next_action: _, ...rest } = refund;
  return { ...rest, status: 'succeeded', balance_transaction: transaction };
}

function book(
  world: World,
  refund: Stripe.Refund,
  amount: number,
  type: 'refund' | 'refund_failure',
): string {
  const transaction = newBalanceTransaction(world.ids.next('txn_'), world.clock.seconds(), {
    amount,
    fee: 0,
    currency: refund.currency,
    source: refund.id,
    description: type === 'refund' ? 'REFUND FOR CHARGE' : 'REFUND FAILURE',
    type,
    reporting_category: type,
  });
  world.balance.put(transaction.id, transaction);
  return transaction.id;
}

/** The bank's later answer: a refund under way succeeds or fails, or one that succeeded comes back. */
export function settleRefund(
  world: World,
  cause: Cause,
  id: string,
  outcome: 'succeeded' | 'failed',
): Stripe.Refund {
  const refund = world.refunds.get(id)!;
  const under = refund.status === 'pending' || refund.status === 'requires_action';
  if (!under && !(refund.status === 'succeeded' && outcome === 'failed')) return refund;
  const settled = world.refunds.put(
    id,
    outcome === 'succeeded' ? succeed(world, refund) : fail(world, refund),
  );
  tell(world, cause, refund, settled);
  if (outcome === 'failed') emit(world, cause, 'refund.failed', settled);
  return settled;
}

function fail(world: World, refund: Stripe.Refund): Stripe.Refund {
  const failed = { ...refund, status: 'failed', failure_reason: 'lost_or_stolen_card' };
  if (refund.status !== 'succeeded') return failed;
  const charge = world.charges.get(String(refund.charge))!;
  world.charges.put(charge.id, {
    ...charge,
    amount_refunded: charge.amount_refunded - refund.amount,
    refunded: false,
  });
  return { ...failed, failure_balance_transaction: book(world, refund, refund.amount, 'refund_failure') };
}

/** Takes back a refund that waits for the customer's bank details. */
export function cancelRefund(world: World, cause: Cause, refund: Stripe.Refund): Stripe.Refund {
  if (refund.status !== 'requires_action') {
    throw unexpectedState(
      `You cannot cancel a refund with status ${refund.status}. Only refunds with status requires_action may be canceled.`,
    );
  }
  const canceled = world.refunds.put(refund.id, { ...refund, status: 'canceled' });
  tell(world, cause, refund, canceled);
  return canceled;
}

/** Changes a refund's metadata. */
export function updateRefund(
  world: World,
  cause: Cause,
  refund: Stripe.Refund,
  metadata: Stripe.Metadata,
): Stripe.Refund {
  const updated = world.refunds.put(refund.id, { ...refund, metadata });
  tell(world, cause, refund, updated);
  return updated;
}

function tell(world: World, cause: Cause, before: Stripe.Refund, after: Stripe.Refund): void {
  emit(world, cause, 'refund.updated', after, changes(before, after));
  emit(world, cause, 'charge.refund.updated', after, changes(before, after));
}

const ZERO_DECIMAL = new Set(['jpy', 'krw', 'vnd']);

/** Money as Stripe's messages write it: `$40.00`, `฿1,200.00`, `¥500`. */
function money(amount: number, currency: string): string {
  const digits = ZERO_DECIMAL.has(currency) ? 0 : 2;
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount / 10 ** digits);
}
