import { isRefusal, type Refusal, refuse } from '../../../kernel/refusal.ts';
import type { PaymentMethod } from '../../../ports/payment-gateway.ts';
import type { PaymentDeps } from '../deps.ts';
import { isSavedAccount, usableCard } from '../saved-method/index.ts';
import { openPayment } from './open-payment.ts';
import { type PaidByCard, payByCard } from './pay-by-card.ts';

/** What is paid by at once: a card, as its provider names it, or an account that is kept there. */
export type Means = { card?: string; accountId?: string };

/** What a customer has chosen of his, or has just made, looked at before any money moves. */
export async function meansOf(
  deps: PaymentDeps,
  customerId: string,
  chosen: {
    paymentMethod: PaymentMethod;
    cardId?: string | undefined;
    accountId?: string | undefined;
    card?: string | undefined;
  },
): Promise<Refusal | Means> {
  const { paymentMethod: method, cardId, accountId, card: made } = chosen;
  if (cardId || made) {
    const card = await usableCard(deps, made ? { made } : { saved: cardId!, customerId });
    return isRefusal(card) ? card : { card };
  }
  if (!accountId) return {};
  return (await isSavedAccount(deps, { id: accountId, method, customerId }))
    ? { accountId }
    : refuse('cardNotFound');
}

/**
 * Opens the payment of an invoice, and pays it where that needs nobody's hand any more. Asked again it goes on with the
 * same payment. What is too little for a method, or what its provider does not take, is refused.
 * @param names under which it counts when a bank refuses it
 */
export async function pay(
  deps: PaymentDeps,
  { id: invoiceId, customerId }: { id: string; customerId: string | null },
  method: PaymentMethod,
  names: string[],
  { card, accountId }: Means,
): Promise<Refusal | PaidByCard> {
  const saved = accountId ? { id: accountId } : undefined;
  const paying = await openPayment(deps, invoiceId, method, saved, { customerId, names });
  if (isRefusal(paying)) return paying;
  // Also where a bank still asks: that may be about another card of his.
  return card && paying?.payable.kind === 'confirm' ? payByCard(deps, invoiceId, card) : { paying };
}
