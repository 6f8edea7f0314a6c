import { failPoint } from '../../failpoints.ts';
import { isRefusal, type Refusal, refuse, refuseFields } from '../../refusal.ts';
import { draftPurchase } from '../billing/index.ts';
import type { OpenPayment } from '../payment/index.ts';
import { periodLines } from '../subscription/index.ts';
import { isMaintenance } from '../text/index.ts';
import type { CheckoutDeps } from './deps.ts';
import { reactivationOf } from './reactivation.ts';
import { lockOrder, moveOrder, type Order, orderById, orderOfMetadata } from './store.ts';

export type Submission = {
  metadata: string;
  paymentMethod: string;
  termsVersion: string;
  /** Only compared with the order's frozen price. */
  price: { currency: string; price: number };
  buyer: { email: string; language: string; customerId: string | null };
  /** A subscription that has ended is taken up again. */
  reactivates?: boolean;
};

/**
 * The buyer asks to pay: contact and consent are stored, the invoice is drafted and the provider prepares a payment.
 * Called again — double click, another card after a refusal, a second tab — it goes on with the same order.
 */
export async function submitOrder(
  deps: CheckoutDeps,
  submission: Submission,
): Promise<Refusal | { order: Order; opened?: OpenPayment | undefined }> {
  const { db, clock, payment, termsVersion } = deps;
  if (await isMaintenance(db)) return refuse('maintenance');
  if (submission.termsVersion !== termsVersion) return refuseFields({ termsVersion: 'form.terms.changed' });
  const named = await orderOfMetadata(db, submission.metadata);
  if (!named) return refuse('productNotFound');
  const again = await refusedAgain(deps, named, submission);
  if (again) return again;
  const offered = payment.methods(named.currency);
  const method = offered.find(known => known.method === submission.paymentMethod)?.method;
  if (!method) return refuseFields({ paymentMethod: 'form.paymentMethod.unavailable' });
  if (submission.price.currency !== named.currency || submission.price.price !== named.price) {
    return refuseFields({ price: 'form.price.changed' });
  }
  const lines = await periodLines(db, named, submission.buyer.language);

  const { buyer } = submission;
  const prepared = await db.transaction().execute(async tx => {
    // Before the order is locked, as where an account ends: what is ordered while it does would be nobody's.
    if (buyer.customerId && !(await deps.account.holdActive(tx, buyer.customerId))) return 'ended';
    const order = await lockOrder(tx, named.id);
    // Paid meanwhile (a second tab): say so instead of refusing.
    if (order.status === 'paid' || order.status === 'fulfilled') return { order };
    // Somebody else's by now: who logged in meanwhile, in another tab.
    if (order.customer_id && order.customer_id !== buyer.customerId) return 'taken';
    if (order.expires_at <= clock.now()) return undefined;
    const submitted = await moveOrder(tx, order, 'submit', {
      email: buyer.email,
      language: buyer.language,
      customer_id: buyer.customerId,
      terms_version: submission.termsVersion,
      payment_method: method,
      failure: null,
    });
    if (!submitted) return undefined;
    const invoiceId = await draftPurchase(tx, clock.now(), submitted.id, submitted.subscription_id, {
      customerId: buyer.customerId,
      currency: submitted.currency,
      lines,
      buyer: { email: buyer.email },
      seller: deps.seller,
      language: buyer.language,
    });
    return { order: submitted, invoiceId };
  });
  if (prepared === 'ended') return refuse('sessionExpired');
  if (prepared === 'taken') return refuse('productNotFound');
  if (!prepared) return refuseFields({ order: 'form.order.expired' });
  if (!prepared.invoiceId) return { order: prepared.order };

  failPoint('order.submitted');
  const opened = await payment.open(prepared.invoiceId, method);
  return { order: (await orderById(db, named.id))!, opened };
}

/** Only who re-activates pays for that, while there is something to re-activate; what is paid already says so itself. */
async function refusedAgain(
  { db, clock, saleCountry }: CheckoutDeps,
  order: Order,
  { reactivates = false, buyer }: Submission,
): Promise<Refusal | undefined> {
  const subscriptionId = order.subscription_id;
  if ((subscriptionId !== null) !== reactivates) return refuse('productNotFound');
  if (!subscriptionId || order.status === 'paid' || order.status === 'fulfilled') return undefined;
  const of = { customerId: buyer.customerId ?? '', subscriptionId };
  const found = await reactivationOf(db, clock.now(), saleCountry, of);
  return isRefusal(found) ? found : undefined;
}
