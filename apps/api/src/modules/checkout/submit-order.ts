import { failPoint } from '../../failpoints.ts';
import { type Refusal, refuse, refuseFields } from '../../http/refusal.ts';
import { draftInvoice } from '../billing/index.ts';
import { isMaintenance } from '../text/index.ts';
import type { CheckoutDeps } from './checkout.ts';
import { lockOrder, moveOrder, type Order, orderOfMetadata } from './store.ts';

export type Submission = {
  metadata: string;
  paymentMethod: string;
  termsVersion: string;
  /** Only compared with the order's frozen price. */
  price: { currency: string; price: number };
  buyer: { email: string; language: string; customerId: string | null };
};

/**
 * The buyer asks to pay: contact and consent are stored, the invoice is drafted and the provider prepares a payment.
 * Called again — double click, another card after a refusal, a second tab — it goes on with the same order.
 */
export async function submitOrder(
  deps: CheckoutDeps,
  submission: Submission,
): Promise<Refusal | { order: Order; clientSecret?: string; requiresAction: boolean }> {
  const { db, clock, payment, termsVersion } = deps;
  if (await isMaintenance(db)) return refuse('maintenance');
  if (submission.paymentMethod !== 'card')
    return refuseFields({ paymentMethod: 'form.paymentMethod.unavailable' });
  if (submission.termsVersion !== termsVersion) return refuseFields({ termsVersion: 'form.terms.changed' });
  const named = await orderOfMetadata(db, submission.metadata);
  if (!named) return refuse('productNotFound');
  if (submission.price.currency !== named.currency || submission.price.price !== named.price) {
    return refuseFields({ price: 'form.price.changed' });
  }

  const { buyer } = submission;
  const prepared = await db.transaction().execute(async tx => {
    // Before the order is locked, as where an account ends: what is ordered while it does would be nobody's.
    if (buyer.customerId && !(await deps.account.holdActive(tx, buyer.customerId))) return 'ended';
    const order = await lockOrder(tx, named.id);
    // Paid meanwhile (a second tab): say so instead of refusing.
    if (order.status === 'paid' || order.status === 'fulfilled') return { order };
    if (order.expires_at <= clock.now()) return undefined;
    const submitted = await moveOrder(tx, order, 'submit', {
      email: buyer.email,
      language: buyer.language,
      customer_id: buyer.customerId,
      terms_version: submission.termsVersion,
      payment_method: submission.paymentMethod,
      failure: null,
    });
    return submitted && { order: submitted, invoiceId: await draftInvoice(tx, clock.now(), submitted) };
  });
  if (prepared === 'ended') return refuse('sessionExpired');
  if (!prepared) return refuseFields({ order: 'form.order.expired' });
  if (!prepared.invoiceId) return { order: prepared.order, requiresAction: false };

  failPoint('order.submitted');
  const payable = await payment.open(prepared.invoiceId, {
    email: buyer.email,
    language: buyer.language,
    key: `cust-${prepared.order.id}`,
  });
  const order = await db
    .selectFrom('shop_order')
    .selectAll()
    .where('id', '=', named.id)
    .executeTakeFirstOrThrow();
  return {
    order,
    ...(payable && { clientSecret: payable.clientSecret }),
    requiresAction: payable?.requiresAction ?? false,
  };
}
