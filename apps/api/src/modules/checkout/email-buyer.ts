import { newCorrelation } from '../../crypto/secrets.ts';
import { type Refusal, refuseFields } from '../../kernel/refusal.ts';
import type { Db } from '../../ports/database.ts';
import { correctBuyer, hasOtherCredit } from '../billing/index.ts';
import type { CheckoutDeps } from './deps.ts';
import { lockOrder, type Order, orderOfMetadata } from './store.ts';
import { unknownOrder } from './unknown-order.ts';

type Sent = { resendIn: number };

/** Pause between two emails of one order, and limit for a day: a typed address may be a stranger's (S17). */
const PAUSE_SECONDS = 60;
const LIMITS = [
  { name: 'message', most: 1, seconds: PAUSE_SECONDS },
  { name: 'emails in a day', most: 5, seconds: 24 * 60 * 60 },
];
const counterOf = (name: string, orderId: string): string => `${name} of order:${orderId}`;

/** Seconds until the email of an order may be sent again; undefined where there is none yet. */
export async function resendIn(
  { clock, limits }: Pick<CheckoutDeps, 'clock' | 'limits'>,
  order: Order,
): Promise<number | undefined> {
  const sentAt = order.email_changed_at ?? order.fulfilled_at;
  if (!sentAt) return undefined;
  // One statement for both: the page of an order asks each second.
  const read = await limits.read(...LIMITS.map(({ name }) => counterOf(name, order.id)));
  const reached = read.filter(({ count }, n) => count >= LIMITS[n]!.most);
  const pause = PAUSE_SECONDS - Math.floor((clock.now().getTime() - sentAt.getTime()) / 1000);
  return Math.max(0, pause, ...reached.map(({ endsIn }) => endsIn));
}

/**
 * Corrects the address that the buyer of a paid order typed; the metadata string proves that they are the buyer. Once only,
 * and only while the account that this order made is unopened. Where the new address has an account already, the answer is
 * the same (S17), the order does not move, and an email to that address says so.
 */
export async function changeEmail(
  deps: CheckoutDeps,
  { metadata, email }: { metadata: string; email: string },
): Promise<Sent | Refusal> {
  const { db, clock, account } = deps;
  const named = await orderOfMetadata(db, metadata);
  if (!named) return unknownOrder();
  // Nothing changes, so the one correction is not used up: the emails are only sent again.
  if (named.email === email) return sendAgain(deps, metadata);
  const customerId = named.customer_id;
  const changed = await db.transaction().execute(async tx => {
    // Lock order: the account before the order.
    const unopened = customerId && (await account.holdUnopened(tx, customerId));
    if (!unopened) return false;
    const order = await lockOrder(tx, named.id);
    if (!order.made_account || order.email_changed_at) return false;
    if (!(await isAllThereIs(tx, order.id, customerId))) return false;
    const change = { email, email_changed_at: clock.now(), version: order.version + 1 };
    await tx.updateTable('shop_order').set(change).where('id', '=', order.id).execute();
    if (await account.correctEmail(tx, customerId, email)) {
      const billed = await correctBuyer(tx, order.id, email);
      if (billed) await deps.jobs.enqueue(tx, 'generateDocuments', { invoiceId: billed });
      // Everything that went to the wrong address. A receipt that names it is corrected, and goes with its email.
      await emailAgain(deps, tx, { ...order, customer_id: customerId }, billed !== undefined);
    } else await emailTaken(deps, tx, order.id);
    return true;
  });
  return changed ? { resendIn: PAUSE_SECONDS } : refuseFields({ email: 'form.email.fixed' });
}

/** Sends the buyer of a paid order their emails again. The answer does not depend on the account (S17). */
export async function sendAgain(deps: CheckoutDeps, metadata: string): Promise<Sent | Refusal> {
  const { db, limits, account } = deps;
  const order = await orderOfMetadata(db, metadata);
  if (!order?.fulfilled_at || !order.customer_id) return unknownOrder();
  const soon = await resendIn(deps, order);
  if (soon) return tooSoon(soon);
  for (const { name, most, seconds } of LIMITS) {
    const { count, endsIn } = await limits.hit(counterOf(name, order.id), seconds);
    if (count > most) return tooSoon(endsIn);
  }
  const owner = await account.byId(db, order.customer_id);
  const of = { ...order, customer_id: order.customer_id };
  await db.transaction().execute(async tx => {
    // Whoever has the page of the order may have left the customer.
    if (owner?.founderLeft) return;
    // The corrected address belongs to another account: neither it nor the mistyped one gets anything of the order.
    if (owner?.email !== order.email) return emailTaken(deps, tx, order.id);
    return emailAgain(deps, tx, of);
  });
  return { resendIn: PAUSE_SECONDS };
}

const tooSoon = (seconds: number): Refusal => ({
  refusal: 'tooManyRequests',
  retryAfterSeconds: seconds,
  data: { resendIn: seconds },
});

/** Nothing of anybody else has come to the account: what others paid as guests with its address is theirs. */
async function isAllThereIs(tx: Db, orderId: string, customerId: string): Promise<boolean> {
  const orders = await tx
    .selectFrom('shop_order')
    .select('id')
    .where('customer_id', '=', customerId)
    .limit(2)
    .execute();
  return orders.length === 1 && !(await hasOtherCredit(tx, orderId, customerId));
}

/**
 * Sends the email that leads on, with the receipt: that the subscription is ready, or the receipt before it is.
 * @param receiptFollows its receipt is rendered again, and sends the email to which it belongs
 */
async function emailAgain(
  { jobs }: CheckoutDeps,
  tx: Db,
  order: Order & { customer_id: string },
  receiptFollows = false,
): Promise<void> {
  const { invoiceId, withReady, subscriptionId, startedAt } = await tx
    .selectFrom('invoice')
    .leftJoin('subscription', 'subscription.order_id', 'invoice.order_id')
    .select(['invoice.id as invoiceId', 'subscription.id as subscriptionId'])
    .select(['subscription.started_at as startedAt', 'invoice.with_ready as withReady'])
    .where('invoice.order_id', '=', order.id)
    .executeTakeFirstOrThrow();
  if (receiptFollows && (withReady || !startedAt)) return;
  const about =
    subscriptionId && startedAt
      ? ({ template: 'ready', subjectId: subscriptionId } as const)
      : ({ template: 'receipt', subjectId: invoiceId } as const);
  await jobs.enqueue(tx, 'sendEmail', {
    ...about,
    customerId: order.customer_id,
    copy: newCorrelation(),
  });
}

const emailTaken = ({ jobs }: CheckoutDeps, tx: Db, orderId: string): Promise<void> =>
  jobs.enqueue(tx, 'sendEmail', {
    template: 'emailTaken',
    subjectId: orderId,
    orderId,
    copy: newCorrelation(),
  });
