import { type AttemptStatus, nextPoll, openAttempt } from '@fixpoint/domain/payment/attempt.ts';
import { type Insertable, sql } from 'kysely';
import { newId } from '../../../crypto/secrets.ts';
import { NamedFault } from '../../../kernel/refusal.ts';
import type { Db } from '../../../ports/database.ts';
import type { AttemptRef, PaymentMethod, Reported } from '../../../ports/payment-gateway.ts';
import type { Tables } from '../../../ports/tables.ts';
import { type Attempt, gatewayFacts, toAttemptRef } from '../store.ts';

/** All attempts of an invoice, by their numbers. */
export const attemptsOf = (db: Db, invoiceId: string): Promise<Attempt[]> =>
  db.selectFrom('attempt').selectAll().where('invoice_id', '=', invoiceId).orderBy('attempt_no').execute();

/** A new attempt, its intent written before anybody is asked. The invoice must be locked. */
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
    /** The saved method that it is charged to; `most`: while its owner is away. */
    saved?: { id: string; most?: number } | undefined;
    /** Names under which what banks refuse of it is counted. */
    countedFor: string[];
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
 * Moves an attempt as compare-and-set, under the lock of its invoice. The gateway is polled again a minute later, unless
 * nothing can change any more; with `more`, money can come after the end.
 * @throws when somebody else has moved it
 */
export async function moveAttempt(...move: Parameters<typeof tryMoveAttempt>): Promise<void> {
  if (!(await tryMoveAttempt(...move))) throw new Error(`Attempt ${move[2].id} was moved by somebody else`);
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
    | 'unapplied'
    | 'fee'
    | 'paid_with'
  >
> & { more?: boolean; receipts?: readonly Insertable<Tables['receipt']>[] };

/** The same. @returns undefined when somebody else has moved it */
export function tryMoveAttempt(
  tx: Db,
  now: Date,
  attempt: Attempt,
  status: AttemptStatus,
  change: AttemptChange = {},
): Promise<Attempt | undefined> {
  const { more, receipts = [], ...columns } = change;
  // Only of money that has come.
  const feeKnown = (change.fee ?? attempt.fee) !== null;
  const settled = status === 'closed' || feeKnown;
  const writer: Pick<Db, 'updateTable'> =
    receipts.length > 0 ? tx.with('receipts', cte => cte.insertInto('receipt').values(receipts)) : tx;
  return writer
    .updateTable('attempt')
    .set({
      ...columns,
      status,
      // Nothing more can be refused: who paid is nobody's business any more.
      ...((status === 'closed' || status === 'succeeded') && { counted_for: [] }),
      version: attempt.version + 1,
      updated_at: now,
      ask_at: settled && !more ? null : nextPoll(now, now, change.expires_at ?? attempt.expires_at),
    })
    .where('id', '=', attempt.id)
    .where('version', '=', attempt.version)
    .returningAll()
    .executeTakeFirst();
}

/** What has arrived since the last time, transfer by transfer; together it is what is reported to have come. */
export async function receiptsOf(
  tx: Db,
  now: Date,
  attempt: Attempt,
  reported: Reported,
): Promise<Insertable<Tables['receipt']>[]> {
  const { ref, chargeRef, received } = reported;
  const { transfers = [{ ref: chargeRef ?? ref ?? attempt.id, amount: received }] } = reported;
  // Before its first money there is nothing to compare with.
  const written =
    attempt.received === 0
      ? []
      : await tx.selectFrom('receipt').select('provider_ref').where('attempt_id', '=', attempt.id).execute();
  const known = new Set(written.map(({ provider_ref }) => provider_ref));
  const fresh = transfers.filter(transfer => !known.has(transfer.ref));
  let rest = received - attempt.received;
  return fresh.map((transfer, index) => {
    // Parts that were rounded by themselves add up with the last one.
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
 * Counts a first try, before the call that it is for, and keeps what the provider calls its payer. @returns which try it is
 * now, whoever else tries at the same time, and what its gateway is told
 * @throws NamedFault when it was closed in the meantime, as one that was never sent: the caller's next try finds that out
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
  // Somebody else has introduced the payer in this moment, and this statement does not see it yet.
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
 * The key of this try is spent: its provider has answered with a fault, and would answer the same for it again. Not so where
 * somebody else has got another answer, or has begun the next try, in the meantime.
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

/** Whether its offer has expired: it can no longer be paid as it was. */
export const isOver = ({ expires_at }: Attempt, now: Date): boolean =>
  expires_at !== null && expires_at <= now;

/** Whether it is being paid: at most one of an invoice is. */
export const isOpen = (attempt: Pick<Attempt, 'status'>): boolean => openAttempt.includes(attempt.status);
