import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { PaymentMethod } from '../../ports/payment-gateway.ts';
import { type Refusal, refuse, refuseFields } from '../../refusal.ts';
import type { OpenPayment } from './open-payment.ts';
import type { Payment } from './payment.ts';
import { paymentView } from './payment-view.ts';

type Deps = { db: Db; clock: Clock; payment: Payment };
type Paying = { status: 'open' | 'paid' | 'void'; payment?: ReturnType<typeof paymentView> };

/** A customer pays his open invoice by a method that he chooses. Pressed again, it goes on with the same payment. */
export async function payByHand(
  deps: Deps,
  customerId: string,
  { invoiceId, paymentMethod }: { invoiceId: string; paymentMethod: PaymentMethod },
): Promise<Paying | Refusal> {
  const invoice = await invoiceOf(deps.db, customerId, invoiceId);
  if (!invoice) return refuse('productNotFound');
  if (invoice.status !== 'open') return { status: invoice.status };
  const offered = deps.payment.methods(invoice.currency).some(({ method }) => method === paymentMethod);
  if (!offered) return refuseFields({ paymentMethod: 'form.paymentMethod.unavailable' });
  return stateAfter(deps, customerId, invoiceId, await deps.payment.open(invoiceId, paymentMethod));
}

/** How the payment of a customer's invoice stands, by its provider's word. */
export async function askByHand(
  deps: Deps,
  customerId: string,
  { invoiceId }: { invoiceId: string },
): Promise<Paying | Refusal> {
  const invoice = await invoiceOf(deps.db, customerId, invoiceId);
  if (!invoice) return refuse('productNotFound');
  if (invoice.status !== 'open') return { status: invoice.status };
  return stateAfter(deps, customerId, invoiceId, await deps.payment.ask(invoiceId));
}

async function stateAfter(
  { db, clock }: Deps,
  customerId: string,
  invoiceId: string,
  open: OpenPayment | undefined,
): Promise<Paying> {
  const { status, ...said } = (await invoiceOf(db, customerId, invoiceId))!;
  return { status, ...(open && status === 'open' && { payment: paymentView(clock.now(), open, said) }) };
}

async function invoiceOf(db: Db, customerId: string, id: string) {
  const invoice = await db
    .selectFrom('invoice')
    .select(['status', 'currency', 'prepaid'])
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  const { status } = invoice ?? {};
  // A draft is its order's, and what nobody is to pay any more is over.
  if (!invoice || (status !== 'open' && status !== 'paid' && status !== 'void')) return undefined;
  return { ...invoice, status };
}
