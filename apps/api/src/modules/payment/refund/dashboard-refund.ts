import { type Selectable, sql } from 'kysely';
import type { Clock } from '../../../ports/clock.ts';
import type { Db } from '../../../ports/database.ts';
import type { GatewayBooks } from '../../../ports/gateway-books.ts';
import type { Jobs } from '../../../ports/jobs.ts';
import type { Provider } from '../../../ports/payment-gateway.ts';
import type { Tables } from '../../../ports/tables.ts';
import { creditable, lockInvoice } from '../../billing/index.ts';
import { NotRefundable, planCode, requirePlanCode } from '../plan-code.ts';
import type { Attempt } from '../store.ts';
import { refundMoney } from './refund-invoice.ts';
import { requestRefund } from './request-refund.ts';
import { refundDue, whereMoneyIs } from './retry-refund.ts';
import { resolveFailed } from './store.ts';

/** A refund that staff made in a gateway's own dashboard. `ref`: its ID there; `amount`: integer hundredths. */
export type DashboardRefund = { ref: string; amount: number; reason: string };
type Deps = { db: Db; clock: Clock; jobs: Jobs; providers: readonly GatewayBooks[] };

/** Plan of the booking. `pays`: the failed refund that it replaces; null: it comes with a credit note. */
export type DashboardRefundPlan = { currency: string; provider: Provider; pays: string | null; code: string };

/**
 * Plans what would be booked, after checking the refund with the gateway. Changes nothing.
 * @param number of the invoice, or its id
 * @throws NotRefundable
 */
export async function planDashboardRefund(
  { db, providers }: Pick<Deps, 'db' | 'providers'>,
  number: string,
  made: DashboardRefund,
): Promise<DashboardRefundPlan> {
  const payment = await paymentRefunded(db, providers, number, made);
  return (await planOf(db, payment, made)).plan;
}

/**
 * Books it as a refund of this shop, which is followed until it is final: instead of a failed one, or with a credit note.
 * @param code of the plan: a plan that has changed since has another
 * @throws NotRefundable
 */
export async function bookDashboardRefund(
  deps: Deps,
  number: string,
  made: DashboardRefund,
  code: string,
): Promise<void> {
  const { db, clock, jobs, providers } = deps;
  const payment = await paymentRefunded(db, providers, number, made);
  await db.transaction().execute(async tx => {
    const invoice = await lockInvoice(tx, payment.invoice_id);
    const { plan, failed } = await planOf(tx, payment, made);
    requirePlanCode(plan, code);
    const now = clock.now();
    const { ref, amount, reason } = made;
    if (failed) {
      const { reason: by, credit_note_id } = failed;
      const why = by === 'unapplied' ? { reason: by } : { reason: by, credit_note_id: credit_note_id! };
      await requestRefund({ jobs }, tx, now, payment, amount, why, ref);
      const { tries } = await refundDue(tx, failed.id);
      await resolveFailed(
        tx,
        now,
        tries.map(({ id }) => id),
      );
    } else {
      const of = { ...invoice, customerId: invoice.customerId! };
      await refundMoney({ jobs }, tx, now, of, { amount, reason, by: 'staff', sentAs: ref });
    }
  });
}

type Payment = Attempt & { provider: Provider; number: string; customerId: string | null };

/** The payment that it refunds, as the gateway reports. */
async function paymentRefunded(
  db: Db,
  providers: readonly GatewayBooks[],
  number: string,
  { ref, amount }: DashboardRefund,
): Promise<Payment> {
  const payments = await db
    .selectFrom('attempt')
    .innerJoin('gateway_customer', 'gateway_customer.id', 'attempt.gateway_customer_id')
    .innerJoin('invoice', 'invoice.id', 'attempt.invoice_id')
    .selectAll('attempt')
    .select(['gateway_customer.provider', 'invoice.customer_id as customerId'])
    .select(sql<string>`coalesce(invoice.number, invoice.id)`.as('number'))
    .where('attempt.status', '=', 'succeeded')
    .where(({ or, eb }) => or([eb('invoice.number', '=', number), eb('invoice.id', '=', number)]))
    .execute();
  if (payments.length === 0) throw new NotRefundable(`there is no paid invoice ${number}`);
  for (const books of providers) {
    const there = payments.some(({ provider }) => provider === books.provider) && (await books.refund(ref));
    if (!there) continue;
    const payment = payments.find(
      one =>
        one.provider === books.provider &&
        (one.provider_ref === there.paymentRef || one.charge_ref === there.paymentRef),
    );
    if (!payment) throw new NotRefundable(`${ref} refunds another payment than that of ${number}`);
    if (there.state === 'failed') throw new NotRefundable(`${ref} failed there: nothing was refunded`);
    if (there.currency !== payment.currency || there.amount !== amount) {
      throw new NotRefundable(`${ref} is of ${there.currency} ${(there.amount / 100).toFixed(2)} there`);
    }
    return payment;
  }
  throw new NotRefundable(`no provider that has paid ${number} knows a refund ${ref}`);
}

/** Matches it with a failed refund of the same amount, or else with the money that is left of the payment. */
async function planOf(
  db: Db,
  payment: Payment,
  { ref, amount, reason }: DashboardRefund,
): Promise<{ plan: DashboardRefundPlan; failed: Selectable<Tables['refund']> | undefined }> {
  const { number, currency, provider } = payment;
  const refunds = await db
    .selectFrom('refund')
    .selectAll()
    .where(({ or, eb }) => or([eb('attempt_id', '=', payment.id), eb('provider_ref', '=', ref)]))
    .orderBy('created_at')
    .execute();
  const ours = refunds.find(({ provider_ref }) => provider_ref === ref);
  if (ours) throw new NotRefundable(`${ref} is the refund ${ours.id} of this shop already`);
  const failed = await firstUnsent(
    db,
    refunds.filter(one => one.amount === amount),
  );
  const left = await creditable(db, { id: payment.invoice_id }, payment);
  if (!failed && amount > left) {
    throw new NotRefundable(
      `no refund of that amount has failed, and ${currency} ${(left / 100).toFixed(2)} are left of ${number}`,
    );
  }
  if (!failed && !payment.customerId) {
    throw new NotRefundable(`${number} is not delivered yet: try again in a minute`);
  }
  const pays = failed?.id ?? null;
  return {
    plan: { currency, provider, pays, code: planCode(ref, left, amount, reason, String(pays)) },
    failed,
  };
}

/** The first refund whose money has not left the shop. */
async function firstUnsent<R extends { id: string }>(db: Db, refunds: readonly R[]): Promise<R | undefined> {
  for (const refund of refunds) {
    if (!(await whereMoneyIs(db, await refundDue(db, refund.id)))) return refund;
  }
  return undefined;
}
