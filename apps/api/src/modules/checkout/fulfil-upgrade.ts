import { isLanguage } from '@fixpoint/contract/languages.ts';
import { failPoint } from '../../failpoints.ts';
import type { Db } from '../../ports/database.ts';
import type { UpgradeOffer } from '../../ports/json-columns.ts';
import { giveCredit } from '../billing/index.ts';
import { productById } from '../catalog/index.ts';
import { givePayment } from '../payment/index.ts';
import { applyUpgrade, closeRenewal } from '../subscription/index.ts';
import { mailTexts } from '../text/index.ts';
import type { CheckoutDeps } from './deps.ts';
import { paidSince } from './paid-since.ts';
import { lockOrder, moveOrder, type Order } from './store.ts';

/**
 * A paid upgrade begins, in one transaction: killed before the commit it has done nothing. One that has come too late for
 * what was offered becomes its customer's credit.
 */
export async function fulfilUpgrade(deps: CheckoutDeps, { id: orderId, ...paid }: Order): Promise<void> {
  const { db, clock, jobs, live, account, payment } = deps;
  const [customerId, subscriptionId] = [paid.customer_id!, paid.subscription_id!];
  await closeRenewal({ db, close: payment.close }, { customerId, subscriptionId });
  await db.transaction().execute(async tx => {
    // Before the order is locked, as everywhere: an account that ends waits for its orders.
    await account.holdActive(tx, customerId);
    const order = await lockOrder(tx, orderId);
    if (order.status !== 'paid') return;
    const upgrade = order.upgrade!;
    const begun = await applyUpgrade(deps, tx, subscriptionId, {
      upgrade,
      product: (await productById(tx, order.product_id))!,
      renewal: order.renewal,
      vatRateBp: order.vat_rate_bp,
    });
    const { id: invoiceId } = await tx
      .selectFrom('invoice')
      .select('id')
      .where('order_id', '=', orderId)
      .executeTakeFirstOrThrow();
    const paidBy = await givePayment(tx, invoiceId, customerId, true);
    if (paidBy) await jobs.enqueue(tx, 'saveMethod', { attemptId: paidBy, customerId });
    const amount = begun ? upgrade.rest : order.price;
    const invoices = begun ? await invoicesOf(tx, subscriptionId, upgrade) : [invoiceId];
    await giveCredit(tx, clock.now(), { customerId, invoices, amount, reason: await reasonOf(tx, order) });
    await moveOrder(tx, order, begun ? 'fulfil' : 'refund', begun ? { fulfilled_at: clock.now() } : {});
    for (const id of new Set([invoiceId, ...invoices]))
      await jobs.enqueue(tx, 'writePapers', { invoiceId: id });
    await live.publish(tx, `order:${orderId}`, 'STATUS', { status: begun ? 'fulfilled' : 'refunded' });
    await live.disconnect(tx, `order:${orderId}`);
    failPoint('order.fulfilling');
  });
  failPoint('order.fulfilled');
}

/** What paid for the days that an upgrade changes, the newest first: what a rest is taken back from. */
async function invoicesOf(
  tx: Db,
  subscriptionId: string,
  { rest, periods }: UpgradeOffer,
): Promise<string[]> {
  if (rest === 0) return [];
  const rows = await paidSince(tx, subscriptionId, new Date(periods[0]!.startsAt))
    .select('invoice.id')
    .where('invoice.total', '>', 0)
    .orderBy('invoice.paid_at', 'desc')
    .execute();
  return rows.map(({ id }) => id);
}

async function reasonOf(tx: Db, { language }: Order): Promise<string> {
  const texts = await mailTexts(tx, language && isLanguage(language) ? language : 'en');
  return texts['paper.planChange']!;
}
