import { isRefusal, type Refusal, refuse } from '../../../kernel/refusal.ts';
import type { Db } from '../../../ports/database.ts';
import type { PaymentMethod } from '../../../ports/payment-gateway.ts';
import { type Admitted, namesOfCard } from '../card-testing.ts';
import type { PaymentDeps } from '../deps.ts';
import { isSavedAccount, type UsableCard, usableCard } from '../saved-method/index.ts';
import { type Begun, findOrCreate, openPayment } from './open-payment.ts';
import { type PaidByCard, payByCard } from './pay-by-card.ts';

/** A card or account that can be charged at once. `accountId`: a saved account. */
export type Means = { card?: UsableCard; accountId?: string };

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
 * A payment to make. `admitted`: the try as it was admitted. `byLink`: whoever pays has the link of the invoice's email and may
 * not be the customer.
 */
export type Paying = {
  invoice: { id: string; customerId: string | null };
  method: PaymentMethod;
  admitted: Admitted;
  means: Means;
  byLink?: boolean;
};

/** A typed or saved card that is declined again counts once. */
const namesOf = ({ admitted: { names }, means: { card } }: Paying) =>
  card ? namesOfCard(names, card) : names;

const savedOf = ({ accountId }: Means) => (accountId ? { id: accountId } : undefined);

/** Begins the attempt for {@link pay} in a transaction of the caller. */
export const beginAttempt = (deps: PaymentDeps, tx: Db, paying: Paying) => {
  const { invoice, method, means } = paying;
  const payer = { customerId: invoice.customerId, names: namesOf(paying) };
  return findOrCreate(deps, tx, invoice.id, method, savedOf(means), payer);
};

/**
 * Opens the payment of an invoice, and pays it where the payer has nothing more to do. A repeated call continues the same
 * payment. Refuses an amount that is too small for the method, or a currency that its gateway does not take.
 * @param begun the result of {@link beginAttempt}
 */
export async function pay(deps: PaymentDeps, payment: Paying, begun?: Begun): Promise<Refusal | PaidByCard> {
  const { invoice, method, means, byLink = false } = payment;
  const { id: invoiceId, customerId } = invoice;
  const payer = { customerId, names: namesOf(payment), byLink };
  const paying = await openPayment(deps, invoiceId, method, savedOf(means), payer, begun);
  if (isRefusal(paying)) return paying;
  // Also while a bank still asks for confirmation: that may be about another card.
  const { card } = means;
  const takesCard = paying?.nextAction.kind === 'card' || paying?.nextAction.kind === 'authenticate';
  return card && takesCard ? payByCard(deps, invoiceId, card, payment.admitted) : { paying };
}
