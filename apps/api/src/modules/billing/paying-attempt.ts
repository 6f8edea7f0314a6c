import type { Db } from '../../ports/database.ts';

/** The payment that counts for an invoice; what came beyond it counts for nothing. None: it is not paid, or by credit alone. */
export const payingAttempt = (db: Db, invoiceId: string) =>
  db
    .selectFrom('attempt')
    .where('attempt.invoice_id', '=', invoiceId)
    .where('attempt.status', '=', 'succeeded')
    .whereRef('attempt.excess', '<', 'attempt.received');
