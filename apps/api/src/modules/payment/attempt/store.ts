import { type AttemptStatus, nextPoll, openAttempt } from '@fixpoint/domain/payment/attempt.ts';
import { type Insertable, sql } from 'kysely';
import { newId } from '../../../crypto/secrets.ts';
import { NamedFault } from '../../../kernel/refusal.ts';
import type { Db } from '../../../ports/database.ts';
import type { AttemptRef, PaymentMethod, Reported } from '../../../ports/payment-gateway.ts';
import type { Tables } from '../../../ports/tables.ts';
import { type Attempt, gatewayFacts, offerOf, toAttemptRef } from '../store.ts';

/** All attempts of an invoice, by their numbers. */
export const attemptsOf = (db: Db, invoiceId: string): Promise<Attempt[]> =>
  db.selectFrom('attempt').selectAll().where('invoice_id', '=', invoiceId).orderBy('attempt_no').execute();

/** Writes a new attempt, before its gateway is called. The invoice must be locked. */
export const insertAttempt = (
  tx: Db,
  now: Date,
  attempt: {
    invoice: { id: string; customerId: string | null; currency: string; due: number };
    method: PaymentMethod;
    gatewayCustomerId: string;
    /** A gateway customer to write together with the attempt. */
    newPayer?: Insertable<Tables['gateway_customer']> | undefined;
    number: number;
    /** The saved method that it charges; `most`: without its owner's presence. */
    saved?: { id: string; most?: number } | undefined;
    /** Names under which its declines are counted. */
    countedFor: string[];
    /** Begun by the link of the invoice's email. */
    byLink: boolean;
  },
): Promise<Attempt> => {
  const { newPayer } = attempt;
  const writer: Pick<Db, 'insertInto'> = newPayer
    ? tx.with('introduced', cte => cte.insertInto('gateway_customer').values(newPayer))
    : tx;
  return writer
    .insertInto('attempt')
    .values({
      id: newId('att'),
      invoice_id: attempt.invoice.id,
      customer_id: attempt.invoice.customerId,
      attempt_no: attempt.number,
      method: attempt.method,
      gateway_customer_id: attempt.gatewayCustomerId,
      saved_method_id: attempt.saved?.id ?? null,
      by_saved: attempt.saved !== undefined,
      unattended: attempt.saved?.most !== undefined,
      status: 'created',
      currency: attempt.invoice.currency,
      amount: attempt.invoice.due,
      counted_for: attempt.countedFor,
      by_link: attempt.byLink,
      created_at: now,
      updated_at: now,
      ask_at: nextPoll(now, now),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
};

/** Counts declines of an invoice's payment under these names from now on. */
export async function countFor({ db }: { db: Db }, invoiceId: string, names: string[]): Promise<void> {
  await db
    .updateTable('attempt')
    .set({ counted_for: names })
    .where('invoice_id', '=', invoiceId)
    .where('status', 'in', ['created', 'open', 'failed'])
    .execute();
}

/**
 * Changes the status of an attempt as compare-and-set, under the lock of its invoice. The gateway is polled again a minute
 * later, unless nothing can change any more; with `more`, money can still come after the end.
 * @throws when it has changed since it was read
 */
export async function transitionAttempt(...args: Parameters<typeof tryTransitionAttempt>): Promise<void> {
  if (!(await tryTransitionAttempt(...args)))
    throw new Error(`Attempt ${args[2].id} has changed since it was read`);
}

type AttemptChange = Partial<
  Pick<
    Attempt,
    | 'provider_ref'
    | 'charge_ref'
    | 'failure'
    | 'hard'
    | 'asks_owner'
    | 'seen'
    | 'expires_at'
    | 'received'
    | 'gone'
    | 'unapplied'
    | 'fee'
    | 'paid_with'
  >
> & { more?: boolean; receipts?: readonly Insertable<Tables['receipt']>[] };

/** As {@link transitionAttempt}. @returns undefined when it has changed since it was read */
export function tryTransitionAttempt(
  tx: Db,
  now: Date,
  attempt: Attempt,
  status: AttemptStatus,
  change: AttemptChange = {},
): Promise<Attempt | undefined> {
  const { more, receipts = [], ...columns } = change;
  // A fee is known only after money has come.
  const feeKnown = (change.fee ?? attempt.fee) !== null;
  const settled = status === 'closed' || feeKnown;
  const writer: Pick<Db, 'updateTable'> =
    receipts.length > 0 ? tx.with('receipts', cte => cte.insertInto('receipt').values(receipts)) : tx;
  return writer
    .updateTable('attempt')
    .set({
      ...columns,
      status,
      // Nothing more can be declined, so the names are erased.
      ...((status === 'closed' || status === 'succeeded') && { counted_for: [] }),
      version: attempt.version + 1,
      updated_at: now,
      ask_at:
        settled && !more
          ? null
          : nextPoll(now, now, offerOf({ ...attempt, expires_at: change.expires_at ?? attempt.expires_at })),
    })
    .where('id', '=', attempt.id)
    .where('version', '=', attempt.version)
    .returningAll()
    .executeTakeFirst();
}

/** The transfers since the last report. Their sum is the increase of the received amount. */
export async function receiptsOf(
  tx: Db,
  now: Date,
  attempt: Attempt,
  reported: Reported,
): Promise<Insertable<Tables['receipt']>[]> {
  const { ref, chargeRef, received } = reported;
  const { transfers = [{ ref: chargeRef ?? ref ?? attempt.id, amount: received }] } = reported;
  // Without money before there are no receipts.
  const written =
    attempt.received === 0
      ? []
      : await tx.selectFrom('receipt').select('provider_ref').where('attempt_id', '=', attempt.id).execute();
  const known = new Set(written.map(({ provider_ref }) => provider_ref));
  const fresh = transfers.filter(transfer => !known.has(transfer.ref));
  let rest = received - attempt.received;
  return fresh.map((transfer, index) => {
    // Transfers are rounded one by one; the last takes the rest, so that they add up.
    const amount = index === fresh.length - 1 ? rest : Math.min(transfer.amount, rest);
    rest -= amount;
    return {
      attempt_id: attempt.id,
      customer_id: attempt.customer_id,
      provider_ref: transfer.ref,
      currency: attempt.currency,
      amount,
      received_at: now,
    };
  });
}

/**
 * Counts the first try before its call, and stores the gateway's ID of the payer.
 * @returns the number of the try, the same for concurrent callers, and the attempt as its gateway needs it
 * @throws NamedFault when it was closed unsent in the meantime: the caller's next try finds that out
 */
export async function countTry(
  db: Db,
  attempt: Attempt,
  gatewayCustomerRef?: string,
): Promise<{ tries: number; ref: AttemptRef }> {
  const counted = await db
    .with('counted', cte =>
      cte
        .updateTable('attempt')
        .set({ tries: sql<number>`greatest(tries, 1)` })
        .where('id', '=', attempt.id)
        .where('status', '!=', 'closed')
        .returning('tries'),
    )
    .with('introduced', cte =>
      cte
        .updateTable('gateway_customer')
        .set({ provider_ref: gatewayCustomerRef ?? null })
        .where('id', '=', attempt.gateway_customer_id)
        .where('provider_ref', 'is', null)
        .where(sql<boolean>`${gatewayCustomerRef ?? null}::text is not null`)
        .returning('provider_ref'),
    )
    .with('facts', () => gatewayFacts(db, attempt.id))
    .selectFrom(['counted', 'facts'])
    .selectAll(['counted', 'facts'])
    .select(eb => eb.selectFrom('introduced').select('provider_ref').as('introduced'))
    .executeTakeFirst();
  if (!counted) throw new NamedFault('providerUnreachable');
  // A concurrent call has stored another ID of the payer, which this statement does not see yet.
  if (gatewayCustomerRef && !counted.introduced && !counted.gatewayCustomerRef) return countTry(db, attempt);
  const { tries, introduced, ...facts } = counted;
  return {
    tries,
    ref: toAttemptRef(
      { ...attempt, tries },
      { ...facts, gatewayCustomerRef: introduced ?? facts.gatewayCustomerRef },
    ),
  };
}

/**
 * Begins the next try with a new key: the gateway answered with a fault, and would repeat it for the old key. Does nothing
 * where a concurrent call got another answer or began the next try.
 */
export async function nextTry(db: Db, { id, status, tries }: Attempt): Promise<void> {
  await db
    .updateTable('attempt')
    .set({ tries: tries + 1 })
    .where('id', '=', id)
    .where('status', '=', status)
    .where('tries', '=', tries)
    .execute();
}

/** Whether the attempt has expired and can no longer be paid. */
export const isOver = ({ expires_at }: Attempt, now: Date): boolean =>
  expires_at !== null && expires_at <= now;

/** Whether the attempt is open: at most one of an invoice is. */
export const isOpen = (attempt: Pick<Attempt, 'status'>): boolean => openAttempt.includes(attempt.status);
