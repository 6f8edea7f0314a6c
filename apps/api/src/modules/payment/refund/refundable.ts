import { isTooOldToRefund } from '@fixpoint/domain/payment/refund.ts';
import type { Db } from '../../../ports/database.ts';
import type { GatewayBooks } from '../../../ports/gateway-books.ts';
import type { Provider } from '../../../ports/payment-gateway.ts';
import { isBlockedByDispute, isDisputed, planLostCoins } from '../dispute/index.ts';
import { NotRefundable } from '../plan-code.ts';
import type { Attempt } from '../store.ts';

type Payment = Pick<Attempt, 'id'> & { provider: Provider };

/**
 * Refuses a payment whose money is gone, or may go while a dispute is open: neither its gateway nor staff refunds it.
 * @throws NotRefundable
 */
export async function requireHeld(db: Db, number: string, { id }: Payment): Promise<void> {
  if (await planLostCoins(db, id)) {
    throw new NotRefundable(
      `the coins that paid ${number} were taken back: book that first, with refund ${id} --write-off --reason TEXT`,
    );
  }
  // If the dispute is lost, its payer gets the money by that.
  if (await isDisputed(db, id))
    throw new NotRefundable(`the payment of ${number} is disputed: wait until that is decided`);
}

/** Refuses what the gateway would refuse for good. @throws NotRefundable with the remedy */
export async function requireSendable(db: Db, now: Date, { id, provider }: Payment): Promise<void> {
  const { paidAt } = await db
    .selectFrom('receipt')
    .select(eb => eb.fn.min('received_at').as('paidAt'))
    .where('attempt_id', '=', id)
    .executeTakeFirstOrThrow();
  const why = (await isBlockedByDispute(db, id))
    ? 'after its dispute'
    : paidAt && isTooOldToRefund(provider, paidAt, now)
      ? 'of that age'
      : undefined;
  if (!why) return;
  throw new NotRefundable(
    `${provider} refunds no payment ${why}: pay it from your own bank with --by-hand, or as credit with --credit`,
  );
}

/**
 * Refuses an invoice whose payment has refunds at its provider that the shop has not made.
 * @throws NotRefundable with the command that books them
 */
export async function requireBooked(
  db: Db,
  providers: readonly GatewayBooks[],
  number: string,
): Promise<void> {
  const payments = await db
    .selectFrom('attempt')
    .innerJoin('gateway_customer', 'gateway_customer.id', 'attempt.gateway_customer_id')
    .innerJoin('invoice', 'invoice.id', 'attempt.invoice_id')
    .select(['attempt.id', 'provider', 'attempt.provider_ref as ref', 'charge_ref as chargeRef'])
    .where('invoice.number', '=', number)
    .where('attempt.status', '=', 'succeeded')
    .execute();
  for (const { id, provider, ref, chargeRef } of payments) {
    const there = await providers
      .find(books => books.provider === provider)
      ?.refundsOf({ ref: ref!, chargeRef });
    const ours = await db
      .selectFrom('refund')
      .select(['id', 'provider_ref'])
      .where('attempt_id', '=', id)
      .execute();
    const foreign = there?.find(
      one =>
        one.state !== 'failed' && !ours.some(own => own.provider_ref === one.ref || own.id === one.refundId),
    );
    if (!foreign) continue;
    const { currency, amount } = foreign;
    throw new NotRefundable(
      `${currency} ${(amount / 100).toFixed(2)} of ${number} were refunded at ${provider} as ${foreign.ref}: book that first, with --made ${foreign.ref}`,
    );
  }
}
