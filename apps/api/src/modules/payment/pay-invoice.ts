import type { Caller } from '../../caller.ts';
import { isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { admitTry, countFor } from './declines.ts';
import type { PaymentDeps } from './deps.ts';
import { openPayment } from './open-payment.ts';
import { payByCard, usableCard } from './pay-by-card.ts';

type Paying = { status: 'paid' | 'processing' } | { status: 'asked'; clientSecret: string };

/**
 * A customer pays an invoice of his himself, by a card that he saved (`cardId`) or one that his page has just made
 * (`card`). Called again it goes on with the same payment.
 */
export async function payInvoiceByCard(
  deps: PaymentDeps,
  { invoiceId, cardId, card: made }: { invoiceId: string; cardId?: string; card?: string },
  caller: Caller & { customerId: string },
): Promise<Refusal | Paying> {
  const { customerId } = caller;
  const invoice = await deps.db
    .selectFrom('invoice')
    .select(['status', 'order_id'])
    .where('id', '=', invoiceId)
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  // Another's invoice is none, and one that is not to be paid has nothing to pay by.
  if (!invoice || invoice.status === 'void') return refuse('productNotFound');
  if (invoice.status === 'paid') return { status: 'paid' };
  const names = await admitTry(deps, invoice.order_id ?? invoiceId, caller);
  if (isRefusal(names)) return names;
  const choice = cardId ? { saved: cardId, customerId } : made && { made };
  const card = choice ? await usableCard(deps, choice) : refuse('cardNotFound');
  if (isRefusal(card)) return card;
  if (!(await openPayment(deps, invoiceId, 'card'))) return { status: 'paid' };
  await countFor(deps, invoiceId, names);
  const { paying, failure, cause } = await payByCard(deps, invoiceId, card);
  if (failure) return refuse(failure, { cause });
  if (!paying) return { status: 'paid' };
  const { payable } = paying;
  return payable.kind === 'confirm'
    ? { status: 'asked', clientSecret: payable.clientSecret }
    : { status: 'processing' };
}
