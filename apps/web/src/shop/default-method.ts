import type { paymentCalls } from '@fixpoint/contract/calls/payment.ts';
import type { DataOf } from '@fixpoint/contract/endpoint.ts';
import { cardName } from './card-name.ts';

type Saved = Pick<DataOf<(typeof paymentCalls)['getCard']>, 'cards' | 'accounts'>;

/**
 * The method that renewals are charged to, with its display name. `pays`: how it pays an order;
 * absent for an expired card.
 */
export function defaultMethod({ cards, accounts }: Saved) {
  const card = cards.find(({ isDefault }) => isDefault);
  if (card) {
    const pays = { paymentMethod: 'card' as const, cardId: card.id };
    return { name: cardName(card), ...(!card.isPast && { pays }) };
  }
  const account = accounts.find(({ isDefault }) => isDefault);
  return (
    account && {
      name: `PayPal, ${account.account}`,
      pays: { paymentMethod: 'paypal' as const, accountId: account.id },
    }
  );
}
