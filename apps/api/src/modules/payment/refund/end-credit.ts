import type { Clock } from '../../../ports/clock.ts';
import type { Db } from '../../../ports/database.ts';
import type { Jobs } from '../../../ports/jobs.ts';
import { raiseAlert } from '../../alert/index.ts';
import {
  allCredit,
  type CreditSource,
  creditSources,
  endCreditedPart,
  goodwillOf,
  lockInvoice,
  recordCreditEnded,
  recordGoodwillEnded,
} from '../../billing/index.ts';
import { attemptById } from '../store.ts';
import { requestRefund } from './request-refund.ts';

type Deps = { clock: Clock; jobs: Jobs };

/**
 * Ends the credit of an account that ends: goodwill counts as used first, so what came as money goes back to its payments as
 * far as there is credit, and the rest was goodwill and is booked back. What has no payment to go back to stays due, with an
 * alert. The account must be locked.
 */
export async function endCredit(deps: Deps, tx: Db, customerId: string): Promise<void> {
  const now = deps.clock.now();
  for (const { currency, amount } of await allCredit(tx, customerId)) {
    // No credit can come or go meanwhile: the account is locked, and its orders have ended.
    const sources = await creditSources(tx, customerId, currency);
    let left = amount;
    const taken = new Map<string, CreditSource>();
    for (const source of sources) {
      const { attemptId, isUnapplied } = source;
      const before = taken.get(attemptId);
      // A payment has one refund of this kind at most.
      if (before && before.isUnapplied !== isUnapplied) continue;
      const ofInvoice = isUnapplied ? unappliedOf(taken, source.invoiceId) : 0;
      const rest = Math.min(source.amount - ofInvoice, source.most - (before?.amount ?? 0));
      const back = Math.min(left, rest);
      if (back <= 0) continue;
      taken.set(attemptId, { ...source, amount: (before?.amount ?? 0) + back });
      left -= back;
    }
    for (const source of taken.values())
      await refundCredit(deps, tx, now, { ...source, customerId, currency });
    const goodwill = Math.min(left, await goodwillOf(tx, customerId, currency));
    await recordGoodwillEnded(tx, now, { customerId, currency, amount: goodwill });
    left -= goodwill;
    if (left > 0) {
      const what = { currency, amount: left };
      await raiseAlert(tx, now, { kind: 'credit.unclaimed', subject: `${customerId}:${currency}`, what });
    }
  }
}

/** What was taken of the unapplied payments of an invoice: together they are no more than its customer's credit of them. */
const unappliedOf = (taken: ReadonlyMap<string, CreditSource>, invoiceId: string): number =>
  [...taken.values()]
    .filter(source => source.isUnapplied && source.invoiceId === invoiceId)
    .reduce((sum, { amount }) => sum + amount, 0);

/**
 * Sends credit back by its payment. The refund names no credit note: those keep saying that they became credit, and the
 * database refuses a refund of such a note.
 */
async function refundCredit(
  { jobs }: Deps,
  tx: Db,
  now: Date,
  credit: CreditSource & { customerId: string; currency: string },
): Promise<void> {
  const { invoiceId, attemptId, isUnapplied, amount } = credit;
  const invoice = await lockInvoice(tx, invoiceId);
  const attempt = (await attemptById(tx, attemptId))!;
  await requestRefund({ jobs }, tx, now, attempt, amount, { reason: 'unapplied' });
  if (isUnapplied) await endCreditedPart(tx, invoice, amount);
  await recordCreditEnded(tx, now, credit);
}
