import type { Db } from '../../../ports/database.ts';
import { resolveAlert } from '../../alert/index.ts';
import { gatewayOf, type PaymentDeps } from '../deps.ts';
import { planCode } from '../plan-code.ts';
import { type Attempt, attemptById } from '../store.ts';
import { applyReported } from './follow-dispute.ts';
import { REORGANISED } from './lost-dispute.ts';

/** Coins of a payment that a longer chain took back. Amounts in integer hundredths. */
export type LostCoins = {
  attempt: Attempt;
  /** The invoice that it paid: its number, or its ID. */
  invoice: string;
  currency: string;
  lost: number;
  booked: number;
  code: string;
};

/**
 * Finds the coins of an attempt that are gone, and how much of that is booked.
 * @returns undefined where there is no such attempt, or nothing to book
 */
export async function planLostCoins(db: Db, attemptId: string): Promise<LostCoins | undefined> {
  const attempt = await attemptById(db, attemptId);
  if (!attempt) return undefined;
  const booked = await lostCoinsOf(db, attemptId);
  if (attempt.gone <= booked) return undefined;
  const invoice = await db
    .selectFrom('invoice')
    .select('number')
    .where('id', '=', attempt.invoice_id)
    .executeTakeFirstOrThrow();
  const { currency, gone } = attempt;
  return {
    attempt,
    invoice: invoice.number ?? attempt.invoice_id,
    currency,
    lost: gone - booked,
    booked,
    code: planCode(attemptId, gone, booked),
  };
}

/** The amount of an attempt's coins that is booked as lost. */
export async function lostCoinsOf(db: Db, attemptId: string): Promise<number> {
  const { lost } = await db
    .selectFrom('dispute')
    .select(eb => eb.fn.coalesce(eb.fn.sum<number>('withdrawn'), eb.lit(0)).as('lost'))
    .where('attempt_id', '=', attemptId)
    .where('reason', '=', REORGANISED)
    .where('status', '=', 'lost')
    .executeTakeFirstOrThrow();
  return Number(lost);
}

type Deps = Pick<PaymentDeps, 'db' | 'clock' | 'jobs' | 'publish'>;

/**
 * Books coins that are gone as a dispute that was lost: credit notes for the sales that they paid, which suspend as the operator
 * configured; the customer's credit that they had become; the rest is written off.
 */
export async function bookLostCoins(
  deps: Deps,
  { attempt, currency, lost, booked }: LostCoins,
): Promise<void> {
  const withdrawn = lost + booked;
  await applyReported(deps, 'btcpay', attempt, {
    ...facts(attempt),
    state: 'lost',
    currency,
    amount: withdrawn,
    withdrawn,
  });
  await resolveAlert(deps.db, deps.clock.now(), 'payment.gone', attempt.id);
}

/** Books that coins whose loss was booked are back: we owe the payer what the credit notes say. */
export async function returnCoins(deps: PaymentDeps, attempt: Attempt): Promise<void> {
  const lost = await lostCoinsOf(deps.db, attempt.id);
  if (lost === 0) return;
  const { provider } = gatewayOf(deps.gateways, attempt.method);
  const { currency } = attempt;
  await applyReported(deps, provider, attempt, {
    ...facts(attempt),
    state: 'won',
    currency,
    amount: lost,
    withdrawn: 0,
  });
}

const facts = ({ provider_ref }: Attempt) => ({
  ref: provider_ref!,
  paymentRef: provider_ref!,
  fee: 0,
  reason: REORGANISED,
  respondBy: null,
});
