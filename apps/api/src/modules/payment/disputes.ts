import type { Selectable } from 'kysely';
import type { Db } from '../../ports/database.ts';
import type { Provider, ReportedDispute } from '../../ports/payment-gateway.ts';
import type { Tables } from '../../ports/tables.ts';
import { newId } from '../../secrets.ts';
import { mend, raise } from '../attention/index.ts';
import { lockInvoice, recordDispute } from '../billing/index.ts';
import type { PaymentDeps } from './deps.ts';
import type { Attempt } from './store.ts';

type Dispute = Selectable<Tables['dispute']>;

/** Disputes take months; their notices are never the only news. */
const ASK_MS = 24 * 60 * 60_000;

/**
 * Asks how a dispute stands and books what it has moved (M17, FS9). The service goes on: what becomes of it is decided by
 * somebody, who is told.
 * @returns false when the provider, or we, know nothing of it
 */
export async function followDispute(deps: PaymentDeps, provider: Provider, ref: string): Promise<boolean> {
  const { db, gateways } = deps;
  const gateway = Object.values(gateways).find(each => each.provider === provider && each.askDispute);
  const reported = await gateway?.askDispute?.(ref);
  if (!reported || reported === 'unknown') return false;
  const attempt = await disputedAttempt(db, provider, reported.paymentRef);
  if (!attempt) return false;
  await takeOver(deps, provider, attempt, reported);
  return true;
}

const disputedAttempt = (db: Db, provider: Provider, paymentRef: string): Promise<Attempt | undefined> =>
  db
    .selectFrom('attempt')
    .innerJoin('payer', 'payer.id', 'attempt.payer_id')
    .selectAll('attempt')
    .where('payer.provider', '=', provider)
    .where(({ or, eb }) =>
      or([eb('attempt.provider_ref', '=', paymentRef), eb('attempt.charge_ref', '=', paymentRef)]),
    )
    .executeTakeFirst();

/** Takes over what the provider says, under the lock of the invoice: what has changed is booked, once for each change. */
const takeOver = (
  { db, clock }: PaymentDeps,
  provider: Provider,
  attempt: Attempt,
  reported: ReportedDispute,
): Promise<void> =>
  db.transaction().execute(async tx => {
    await lockInvoice(tx, attempt.invoice_id);
    const now = clock.now();
    const before = await tx
      .selectFrom('dispute')
      .selectAll()
      .where('attempt_id', '=', attempt.id)
      .where('provider_ref', '=', reported.ref)
      .executeTakeFirst();
    const { state, withdrawn, fee } = reported;
    const same =
      before?.status === state && before.withdrawn === withdrawn && before.fee === fee ? before : undefined;
    const dispute = await write(tx, now, attempt, reported, before, same !== undefined);
    if (same) return;
    const lost = await shareOf(tx, attempt.invoice_id, state === 'lost' ? withdrawn : 0);
    const wasLost = await shareOf(tx, attempt.invoice_id, before?.status === 'lost' ? before.withdrawn : 0);
    await recordDispute(
      tx,
      now,
      { ...dispute, provider },
      {
        held: withdrawn - (before?.withdrawn ?? 0),
        fee: fee - (before?.fee ?? 0),
        lost: { net: lost.net - wasLost.net, vat: lost.vat - wasLost.vat },
      },
    );
    await tell(tx, now, dispute);
  });

async function write(
  tx: Db,
  now: Date,
  attempt: Attempt,
  reported: ReportedDispute,
  before: Dispute | undefined,
  same: boolean,
): Promise<Dispute> {
  const { ref, state, currency, amount, withdrawn, fee, reason, respondBy } = reported;
  const stands = { status: state, currency, amount, withdrawn, fee, reason, respond_by: respondBy };
  // One that was won or lost can be taken up again for a while: its notice says so.
  const ask_at = state === 'won' || state === 'lost' ? null : new Date(now.getTime() + ASK_MS);
  if (before) {
    return tx
      .updateTable('dispute')
      .set({ ...stands, ask_at, ...(!same && { version: before.version + 1, updated_at: now }) })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
  }
  const names = { id: newId('dsp'), attempt_id: attempt.id, provider_ref: ref };
  return tx
    .insertInto('dispute')
    .values({ ...names, ...stands, ask_at, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** How much of what is lost was revenue, and how much VAT: as in its invoice. */
async function shareOf(tx: Db, invoiceId: string, amount: number): Promise<{ net: number; vat: number }> {
  const invoice = await tx
    .selectFrom('invoice')
    .select(['vat', 'total'])
    .where('id', '=', invoiceId)
    .executeTakeFirstOrThrow();
  const vat = Math.round((amount * invoice.vat) / invoice.total);
  return { net: amount - vat, vat };
}

/** Staff must answer one that is open, and clear up after one that was lost. */
async function tell(tx: Db, now: Date, dispute: Dispute): Promise<void> {
  const { provider_ref: subject, status, reason, currency, amount, respond_by } = dispute;
  const what = {
    status,
    reason,
    currency,
    amount,
    ...(respond_by && { answerBy: respond_by.toISOString() }),
  };
  if (status === 'open' || status === 'inquiry') return raise(tx, now, { kind: 'dispute', subject, what });
  await mend(tx, 'dispute', subject);
  if (status === 'lost') await raise(tx, now, { kind: 'dispute.lost', subject, what });
}

/** Whether a payment is disputed now: nothing of it is given back meanwhile, it would go twice (P23). */
export const isDisputed = async (db: Db, attemptId: string): Promise<boolean> =>
  (await db
    .selectFrom('dispute')
    .select('id')
    .where('attempt_id', '=', attemptId)
    .where('status', '=', 'open')
    .executeTakeFirst()) !== undefined;
