import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../ports/database.ts';

/** A condition on an attempt: it counts for its invoice; what came beyond that counts for nothing. */
export const paysItsInvoice: RawBuilder<boolean> = sql<boolean>`
  attempt.status = 'succeeded' and attempt.excess < attempt.received`;

/** The payment that counts for an invoice. None: it is not paid, or by credit alone. */
export const payingAttempt = (db: Db, invoiceId: string) =>
  db.selectFrom('attempt').where('attempt.invoice_id', '=', invoiceId).where(paysItsInvoice);
