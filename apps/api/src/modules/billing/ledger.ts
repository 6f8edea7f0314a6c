import {
  bookCarriedEnded,
  bookCredit,
  bookCredited,
  bookDispute,
  bookDueWrittenOff,
  bookFee,
  bookGoodwill,
  bookOutOfBand,
  bookPaid,
  bookRefund,
  bookReserved,
  bookUnapplied,
  type Entry,
  reversed,
} from '@fixpoint/domain/billing/ledger.ts';
import type { Db } from '../../ports/database.ts';

const book = (tx: Db, now: Date, txn: string, currency: string, entries: readonly Entry[]): Promise<void> =>
  bookAll(tx, now, currency, { [txn]: entries });

/**
 * Writes transactions by their names; a name that exists already is skipped. The database guarantees that each transaction
 * sums to zero and that no credit becomes negative.
 */
async function bookAll(
  tx: Db,
  now: Date,
  currency: string,
  txns: Record<string, readonly Entry[]>,
): Promise<void> {
  const rows = Object.entries(txns).flatMap(([txn, entries]) =>
    entries
      .filter(({ amount }) => amount !== 0)
      .map(({ account, amount, provider, customerId }, position) => ({
        txn,
        position,
        account,
        provider,
        customer_id: customerId,
        currency,
        amount,
        created_at: now,
      })),
  );
  if (rows.length === 0) return;
  await tx
    .insertInto('ledger_entry')
    .values(rows)
    .onConflict(conflict => conflict.doNothing())
    .execute();
}

type Money = { provider: string; currency: string; amount: number };

/**
 * Books an invoice that was paid by an attempt, by reserved credit, or by both.
 * @param prepaidAt gateway that the prepaid amount came by
 * @param fee fee of the attempt, where the gateway reports it at once
 */
export const recordPaid = (
  tx: Db,
  now: Date,
  invoice: {
    id: string;
    net: number;
    vat: number;
    creditUsed: number;
    prepaid: number;
    prorated: number;
    carriedOut?: number;
    carriedIn?: number;
  },
  money: Money,
  prepaidAt?: string,
  fee?: { attemptId: string; amount: number },
): Promise<void> =>
  bookAll(tx, now, money.currency, {
    [`paid:${invoice.id}`]: bookPaid({
      provider: money.provider,
      money: money.amount,
      net: invoice.net,
      vat: invoice.vat,
      prepaid: invoice.prepaid,
      prepaidAt,
      prorated: invoice.prorated,
      carried: (invoice.carriedOut ?? 0) - (invoice.carriedIn ?? 0),
      credit: invoice.creditUsed,
    }),
    ...(fee && { [feeTxn(fee.attemptId)]: bookFee(money.provider, fee.amount) }),
  });

/** Books an unapplied payment: money beyond the amount due, or for an invoice that takes none any more. */
export const recordUnapplied = (
  tx: Db,
  now: Date,
  attempt: { id: string; unapplied: number },
  money: Money,
): Promise<void> => {
  // Each further transfer of the same attempt is a transaction of its own.
  const txn = `excess:${attempt.id}${attempt.unapplied > 0 ? `:${attempt.unapplied}` : ''}`;
  return book(tx, now, txn, money.currency, bookUnapplied(money.provider, money.amount));
};

/** Books an unapplied payment as its customer's credit. @returns the name of the transaction */
export async function recordCredited(
  tx: Db,
  now: Date,
  invoice: { id: string; credited: number },
  { customerId, currency, amount }: Credit,
  provider: string | undefined,
): Promise<string> {
  const txn = `kept:${invoice.id}:${invoice.credited}`;
  await book(tx, now, txn, currency, bookCredited(customerId, amount, provider));
  return txn;
}

/** Books the amount of a credit note as its customer's credit. */
export const recordNoteCredited = (
  tx: Db,
  now: Date,
  creditNoteId: string,
  { customerId, currency, amount }: Credit,
): Promise<void> => book(tx, now, `note-kept:${creditNoteId}`, currency, bookCredited(customerId, amount));

/** Books credit that staff gives. @returns the name of the transaction */
export async function recordGoodwill(
  tx: Db,
  now: Date,
  id: string,
  { customerId, currency, amount }: Credit,
): Promise<string> {
  const txn = `goodwill:${id}`;
  await book(tx, now, txn, currency, bookGoodwill(customerId, amount));
  return txn;
}

/** Books credit that goes back to the payment that it came from, because its account ends. `notes-ended`: of credit notes. */
export const recordCreditEnded = (
  tx: Db,
  now: Date,
  {
    customerId,
    currency,
    amount,
    provider,
    attemptId,
    isUnapplied,
  }: Credit & { provider: string; attemptId: string; isUnapplied: boolean },
): Promise<void> =>
  book(
    tx,
    now,
    `${isUnapplied ? 'credit' : 'notes'}-ended:${attemptId}`,
    currency,
    reversed(bookCredited(customerId, amount, provider)),
  );

/** Books goodwill back that was not used when its account ended. */
export const recordGoodwillEnded = (
  tx: Db,
  now: Date,
  { customerId, currency, amount }: Credit,
): Promise<void> =>
  book(
    tx,
    now,
    `goodwill-ended:${customerId}:${currency}`,
    currency,
    reversed(bookGoodwill(customerId, amount)),
  );

/** Books goodwill back that staff takes back. @param id of the taking */
export const recordGoodwillTakenBack = (
  tx: Db,
  now: Date,
  id: string,
  { customerId, currency, amount }: Credit,
): Promise<void> =>
  book(tx, now, `goodwill-back:${id}`, currency, reversed(bookGoodwill(customerId, amount)));

type Credit = { customerId: string; currency: string; amount: number };

/** Books credit that an invoice reserves. */
export const recordReserved = (
  tx: Db,
  now: Date,
  { id }: { id: string },
  { customerId, currency, amount }: Credit,
): Promise<void> => book(tx, now, `reserved:${id}`, currency, bookReserved(customerId, amount));

/** Books the release of reserved credit. */
export const recordReleased = (
  tx: Db,
  now: Date,
  { id }: { id: string },
  { customerId, currency, amount }: Credit,
): Promise<void> =>
  book(tx, now, `reserved-back:${id}`, currency, reversed(bookReserved(customerId, amount)));

const feeTxn = (attemptId: string) => `fee:${attemptId}`;
export const recordFee = (tx: Db, now: Date, attemptId: string, money: Money): Promise<void> =>
  book(tx, now, feeTxn(attemptId), money.currency, bookFee(money.provider, money.amount));

/** Books a credit note, which reverses a part of a sale. */
export const recordCredit = (
  tx: Db,
  now: Date,
  creditNoteId: string,
  {
    provider,
    currency,
    ...sale
  }: { provider: string | undefined; currency: string; net: number; vat: number },
): Promise<void> => book(tx, now, `credit-note:${creditNoteId}`, currency, bookCredit(provider, sale));

/** Books an out-of-band refund. */
export const recordOutOfBand = (
  tx: Db,
  now: Date,
  id: string,
  { provider, currency, amount }: Omit<Money, 'provider'> & { provider: string | undefined },
): Promise<void> => book(tx, now, `by-hand:${id}`, currency, bookOutOfBand(provider, amount));

/** Books that the carried rest of an invoice is written off. */
export const recordCarriedEnded = (
  tx: Db,
  now: Date,
  { id, currency }: { id: string; currency: string },
  amount: number,
): Promise<void> => book(tx, now, `carried-ended:${id}`, currency, bookCarriedEnded(amount));

/** Books that what was due to a payer is written off. */
export const recordDueWrittenOff = (
  tx: Db,
  now: Date,
  id: string,
  { provider, currency, amount }: Omit<Money, 'provider'> & { provider: string | undefined },
): Promise<void> => book(tx, now, `written-off:${id}`, currency, bookDueWrittenOff(provider, amount));

export const recordRefund = (tx: Db, now: Date, refundId: string, money: Money): Promise<void> =>
  book(tx, now, `refund:${refundId}`, money.currency, bookRefund(money.provider, money.amount));

/** Books a change of the amount that the gateway withholds for a dispute, once per version of the dispute. */
export const recordDispute = (
  tx: Db,
  now: Date,
  dispute: { id: string; version: number; provider: string; currency: string; customerId: string | null },
  moved: Parameters<typeof bookDispute>[2],
): Promise<void> =>
  book(
    tx,
    now,
    `dispute:${dispute.id}:${dispute.version}`,
    dispute.currency,
    bookDispute(dispute.provider, dispute.customerId ?? undefined, moved),
  );

/** Books a refund that had arrived and was returned. */
export const recordRefundReturned = (tx: Db, now: Date, refundId: string, money: Money): Promise<void> =>
  book(
    tx,
    now,
    `refund-back:${refundId}`,
    money.currency,
    reversed(bookRefund(money.provider, money.amount)),
  );
