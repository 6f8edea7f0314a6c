import type { BuyerDetails } from '@fixpoint/contract/buyer-details.ts';
import { minimumByCard } from '@fixpoint/contract/minimum-charge.ts';
import { failPoint } from '../../kernel/failpoints.ts';
import { isRefusal, type Refusal, refuse, refuseFields } from '../../kernel/refusal.ts';
import type { Db } from '../../ports/database.ts';
import {
  applyCredit,
  buyerDetailsOf,
  carryRest,
  creditFor,
  draftInvoice,
  type InvoiceLine,
  lockInvoice,
  saveBuyerDetails,
} from '../billing/index.ts';
import { hasRoomFor } from '../catalog/index.ts';
import type { Begun, Paying } from '../payment/index.ts';
import { changeLines, closeRenewal, periodLines } from '../subscription/index.ts';
import type { CheckoutDeps } from './deps.ts';
import { offerRefusal } from './own-subscription.ts';
import { reactivationOf, reserveForOrder } from './reactivation.ts';
import { areDaysUnused, proratedFor } from './replacement.ts';
import { lockOrder, type Order, type OrderOnPage, transitionOrder } from './store.ts';
import { unknownOrder } from './unknown-order.ts';

export type Submission = {
  metadata: string;
  paymentMethod: string;
  termsVersion: string;
  /** Only compared with the order's frozen price. */
  price: { currency: string; price: number };
  /** The part that credit pays, as the page showed it; only compared, too. */
  credit?: number | undefined;
  /** The part that unused days of another subscription pay; only compared, too. */
  prorated?: number | undefined;
  buyer: { email: string; language: string; customerId: string | null };
  /** The company that it is bought for, null for none; absent: the one that the customer has saved. */
  company?: BuyerDetails | null | undefined;
  /** Whether it reactivates a subscription. */
  reactivates?: boolean;
};

/**
 * Submits an order: stores contact and consent and drafts the invoice. A repeated call (double click, another card after a
 * decline, a second tab) continues the same order. The customer's credit is reserved first; enough credit pays it at once.
 * Otherwise its attempt begins in the same transaction.
 * @param by admission and means of the payment; its method comes from the submission
 * @returns `unpaid`: the payment to make now, and its attempt
 */
export async function submitOrder(
  deps: CheckoutDeps,
  submission: Submission,
  named: OrderOnPage | undefined,
  by: Pick<Paying, 'admitted' | 'means'>,
): Promise<Refusal | { orderId: string; unpaid?: { paying: Paying; begun: Begun; order: OrderOnPage } }> {
  const { db, clock, payment, termsVersion } = deps;
  if (submission.termsVersion !== termsVersion) return refuseFields({ termsVersion: 'form.terms.changed' });
  if (!named) return unknownOrder();
  const refused = await refusedFor(deps, named, submission);
  if (refused) return refused;
  const offered = await payment.methods(named.currency);
  const method = offered.find(known => known.method === submission.paymentMethod)?.method;
  if (!method) return refuseFields({ paymentMethod: 'form.paymentMethod.unavailable' });
  if (submission.price.currency !== named.currency || submission.price.price !== named.price) {
    return refuseFields({ price: 'form.price.changed' });
  }
  const { buyer } = submission;
  const company = submission.company && buyerDetailsOf(submission.company);
  if (isRefusal(company)) return company;
  if (await deps.isBlocked(db, buyer.email)) return refuse('accessRestricted');
  const lines = await linesOf(db, named, buyer.language);

  const prepared = await db.transaction().execute(async tx => {
    // Lock order: the account before the order. An order of an account that is being deleted would belong to nobody.
    // Exclusive, because two orders at once must not reserve the same credit.
    if (buyer.customerId && !(await deps.account.holdActive(tx, buyer.customerId, true))) return 'ended';
    const order = await lockOrder(tx, named.id);
    // Paid meanwhile in a second tab: answer with its state instead of a refusal.
    if (order.status === 'paid' || order.status === 'fulfilled') return {};
    // It belongs to another customer, such as one who logged in meanwhile in another tab.
    if (order.customer_id && order.customer_id !== buyer.customerId) return 'taken';
    if (order.expires_at <= clock.now()) return undefined;
    const prorated = proratedFor(order);
    const asks = { ...order, price: order.price - prorated };
    const credit = buyer.customerId ? await creditFor(tx, asks, buyer.customerId) : 0;
    const { credit: shownCredit = credit, prorated: shownProrated = prorated } = submission;
    if (shownCredit !== credit || shownProrated !== prorated) return 'changed';
    const submitted = await transitionOrder(tx, order, 'submit', {
      email: buyer.email,
      language: buyer.language,
      customer_id: buyer.customerId,
      terms_version: submission.termsVersion,
      payment_method: method,
      failure: null,
    });
    if (!submitted) return undefined;
    if (submitted.keeps_address) await reserveForOrder(tx, submitted);
    if (company && buyer.customerId) await saveBuyerDetails(tx, clock.now(), buyer.customerId, company);
    const of = { orderId: submitted.id, subscriptionId: submitted.subscription_id };
    const upgrades = submitted.upgrade !== null;
    const invoiceId = await draftInvoice(
      tx,
      clock.now(),
      { ...of, upgrades },
      {
        customerId: buyer.customerId,
        currency: submitted.currency,
        lines,
        prorated,
        buyer: { email: buyer.email, company },
        seller: deps.seller,
        language: buyer.language,
      },
    );
    if (!invoiceId) return {};
    const rest = submitted.price - prorated - credit - (named.prepaid ?? 0);
    const isTooSmall = rest > 0 && rest < minimumByCard(submitted.currency) && buyer.customerId !== null;
    const carried =
      isTooSmall &&
      (await carryRest(tx, await lockInvoice(tx, invoiceId), rest, amount =>
        payment.takes(submitted.currency, amount),
      )) !== undefined;
    const needsNoMoney = carried || credit > 0 || submitted.price === prorated;
    if (!(needsNoMoney && (await applyCredit(tx, clock.now(), invoiceId, credit)))) {
      const paying = { ...by, invoice: { id: invoiceId, customerId: buyer.customerId }, method };
      return { paying, begun: await payment.begin(tx, paying), submitted, credit };
    }
    await deps.publish(tx, { type: 'invoicePaid', invoiceId, ...of });
    return {};
  });
  if (prepared === 'ended') return refuse('sessionExpired');
  if (prepared === 'taken') return unknownOrder();
  if (prepared === 'changed') return refuseFields({ price: 'form.price.changed' });
  if (!prepared) return refuseFields({ order: 'form.order.expired' });
  const { paying, begun, submitted, credit } = prepared;
  if (!paying) return { orderId: named.id };
  failPoint('order.submitted');
  const order = {
    ...submitted,
    product: named.product,
    invoice_id: paying.invoice.id,
    credit_used: credit,
    prepaid: named.prepaid ?? 0,
    taxed: null,
  };
  return { orderId: named.id, unpaid: { paying, begun, order } };
}

/** The lines of the order's invoice. */
async function linesOf(db: Db, order: OrderOnPage, language: string): Promise<InvoiceLine[]> {
  const { upgrade, subscription_id: id } = order;
  if (!upgrade || !id) return periodLines(db, order, language, id);
  const paid = await db
    .selectFrom('subscription')
    .select(['id', 'product_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return changeLines(db, { ...order, upgrade }, paid, language);
}

/**
 * Why an order for an existing subscription must not be paid: it is another customer's, or the offer does not hold any more.
 * A reactivation must come by its own call. A paid order is never refused.
 */
async function refusedFor(
  { db, clock, saleCountry, payment }: CheckoutDeps,
  order: Order,
  { reactivates = false, buyer }: Submission,
): Promise<Refusal | undefined> {
  const { upgrade, replacement } = order;
  const [customerId, subscriptionId] = [
    buyer.customerId ?? '',
    replacement?.subscriptionId ?? order.subscription_id,
  ];
  if ((order.subscription_id !== null && upgrade === null) !== reactivates) return unknownOrder();
  if (subscriptionId === null || order.status === 'paid' || order.status === 'fulfilled') return undefined;
  const of = { customerId, subscriptionId };
  const refused = async () => {
    if (upgrade) return offerRefusal(db, clock.now(), of, 'upgrade', upgrade);
    if (replacement) {
      if (!(await hasRoomFor(db, clock.now(), order.product_id))) return refuse('productNotFound');
      const refusal = await offerRefusal(db, clock.now(), of, 'replace', replacement);
      if (refusal || (await areDaysUnused(db, clock.now(), replacement))) return refusal;
      return refuseFields({ price: 'form.price.changed' });
    }
    const found = await reactivationOf(db, clock.now(), saleCountry, of, order.expires_at);
    if (isRefusal(found)) return found;
    // The address was released since it was shown. The customer must see first that they get another one.
    return order.keeps_address && !found.reserved ? refuseFields({ order: 'order.again.other' }) : undefined;
  };
  const first = await refused();
  if (first || reactivates) return first;
  // Closed before the last check: a renewal that is paid meanwhile changes the price.
  await closeRenewal({ db, close: payment.close }, of);
  return refused();
}
