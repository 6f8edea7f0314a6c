import { isRefusal, type Refusal, refuse } from '../../../kernel/refusal.ts';
import type { PaymentMethod } from '../../../ports/payment-gateway.ts';
import type { PaymentDeps } from '../deps.ts';
import { isSavedAccount, usableCard } from '../saved-method/index.ts';
import { openPayment } from './open-payment.ts';
import { type PaidByCard, payByCard } from './pay-by-card.ts';

/** A card or account that can be charged at once. `card`: the gateway's ID; `accountId`: a saved account. */
export type Means = { card?: string; accountId?: string };

/** Resolves what a customer has chosen to pay with, saved or just typed, before any money moves. */
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
 * Opens the payment of an invoice, and pays it where the payer has nothing more to do. A repeated call continues the same
 * payment. Refuses an amount that is too small for the method, or a currency that its gateway does not take.
 * @param names under which a refusal by a bank is counted
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
  // Also while a bank still asks for confirmation: that may be about another card.
  return card && paying?.payable.kind === 'confirm' ? payByCard(deps, invoiceId, card) : { paying };
}
