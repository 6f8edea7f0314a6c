import type { paymentCalls } from '@fixpoint/contract/calls/payment.ts';
import type { DataOf, Received } from '@fixpoint/contract/endpoint.ts';
import { type ErrorName, errors, subjectFaults } from '@fixpoint/contract/errors.ts';
import type { Caller } from '../../../kernel/caller.ts';
import { isRefusal, type Refusal, refuseFields } from '../../../kernel/refusal.ts';
import type { Db } from '../../../ports/database.ts';
import { admitTry } from '../card-testing.ts';
import type { PaymentDeps } from '../deps.ts';
import { paymentView } from './next-action.ts';
import { meansOf, pay } from './pay.ts';
import type { PaidByCard } from './pay-by-card.ts';
import { askInvoice } from './poll-attempt.ts';
import { attemptsOf } from './store.ts';

type InvoiceState = DataOf<(typeof paymentCalls)['payment']>;

/** Pays an open invoice of a customer. A repeated call continues the same payment. */
export async function payInvoice(
  deps: PaymentDeps,
  { invoiceId, ...chosen }: Received<(typeof paymentCalls)['payment']>['body'],
  caller: Caller & { customerId: string },
): Promise<Refusal | InvoiceState> {
  const { customerId } = caller;
  const invoice = await ownInvoice(deps.db, customerId, invoiceId);
  if (!invoice) return refuseFields({ id: subjectFaults.invoiceNotFound });
  if (invoice.status !== 'open') return { status: invoice.status };
  const admitted = await admitTry(deps, { subject: invoiceId, customerId, brake: false }, caller);
  if (isRefusal(admitted)) return admitted;
  const means = await meansOf(deps, customerId, chosen);
  if (isRefusal(means)) return means;
  const paying = { invoice: { id: invoiceId, customerId }, method: chosen.paymentMethod, admitted, means };
  const paid = await pay(deps, paying);
  return isRefusal(paid) ? paid : stateAfter(deps, customerId, invoiceId, paid);
}

/** The state of a customer's invoice and its payment, as the gateway reports it. */
export async function askOwnInvoice(
  deps: PaymentDeps,
  customerId: string,
  invoiceId: string,
): Promise<Refusal | InvoiceState> {
  const invoice = await ownInvoice(deps.db, customerId, invoiceId);
  if (!invoice) return refuseFields({ id: subjectFaults.invoiceNotFound });
  if (invoice.status !== 'open') return { status: invoice.status };
  return stateAfter(deps, customerId, invoiceId, { paying: await askInvoice(deps, invoiceId) });
}

async function stateAfter(
  deps: PaymentDeps,
  customerId: string,
  invoiceId: string,
  paid: PaidByCard,
): Promise<InvoiceState> {
  const { status, ...shown } = (await ownInvoice(deps.db, customerId, invoiceId))!;
  if (status !== 'open') return { status };
  return { status, ...(await stateOfPayment(deps, { id: invoiceId, ...shown }, paid)) };
}

/** The payment of an open invoice as its page shows it, or why the last one was declined. */
export async function stateOfPayment(
  { db, clock }: PaymentDeps,
  invoice: { id: string; prepaid: number; currency: string },
  { paying, cause }: PaidByCard,
): Promise<Omit<InvoiceState, 'status'>> {
  if (paying) return { payment: paymentView(clock.now(), paying, invoice) };
  const failure = (await attemptsOf(db, invoice.id)).at(-1)?.failure as ErrorName | null | undefined;
  return { ...(failure && { failure: errors[failure].code }), ...(cause && { cause }) };
}

async function ownInvoice(db: Db, customerId: string, id: string) {
  const invoice = await db
    .selectFrom('invoice')
    .select(['status', 'currency', 'prepaid'])
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  const { status } = invoice ?? {};
  // A draft is paid by its order only.
  if (!invoice || (status !== 'open' && status !== 'paid' && status !== 'void')) return undefined;
  return { ...invoice, status };
}
