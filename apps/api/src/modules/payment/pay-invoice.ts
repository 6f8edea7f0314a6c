import type { ErrorName } from '@fixpoint/contract/errors.ts';
import type { Db } from '../../ports/database.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import type { Payment } from './payment.ts';

type Paying = { status: 'paid' | 'open' | 'processing'; clientSecret?: string };

/**
 * A customer pays his open invoice himself: with a card that he saved, charged at once, or with another one that his page
 * asks for. Pressed again, it goes on with the same payment.
 */
export async function payInvoice(
  { db, payment }: { db: Db; payment: Payment },
  customerId: string,
  { invoiceId, cardId }: { invoiceId: string; cardId?: string | undefined },
): Promise<Paying | Refusal> {
  const statusNow = () =>
    db
      .selectFrom('invoice')
      .select('status')
      .where('id', '=', invoiceId)
      .where('customer_id', '=', customerId)
      .executeTakeFirst();
  const invoice = await statusNow();
  if (!invoice || (invoice.status !== 'open' && invoice.status !== 'paid')) return refuse('productNotFound');
  if (invoice.status === 'paid') return { status: 'paid' };
  if (!cardId) {
    const opened = await payment.open(invoiceId, 'card');
    if (!opened) return { status: 'paid' };
    const { payable } = opened;
    if (payable.kind !== 'confirm') return { status: 'processing' };
    return { status: 'open', clientSecret: payable.clientSecret };
  }
  const card = await db
    .selectFrom('saved_method')
    .select('id')
    .where('id', '=', cardId)
    .where('customer_id', '=', customerId)
    .where('method', '=', 'card')
    .executeTakeFirst();
  if (!card) return refuse('cardNotFound');
  await payment.charge(invoiceId, { methodId: card.id });
  if ((await statusNow())?.status === 'paid') return { status: 'paid' };
  const last = await db
    .selectFrom('attempt')
    .select(['status', 'failure'])
    .where('invoice_id', '=', invoiceId)
    .orderBy('attempt_no', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (last?.status === 'failed') return refuse((last.failure ?? 'cardDeclined') as ErrorName);
  return { status: 'processing' };
}
