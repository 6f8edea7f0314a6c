import { isPast, isUnsupportedDebit } from '@fixpoint/domain/payment/card.ts';
import { type Refusal, refuse, refuseFields } from '../../../kernel/refusal.ts';
import type { CardCalls } from '../../../ports/payment-gateway.ts';
import { gatewayOf, type PaymentDeps } from '../deps.ts';
import { cardsOf } from './saved-methods.ts';

/** A card that the page has just created, or a saved one. */
export type CardChoice = { made: string } | { saved: string; customerId: string };

export type UsableCard = { ref: string; fingerprint: string };

/** The card calls of the gateway for cards. */
export function cardCalls({ gateways }: PaymentDeps): CardCalls {
  const { cards } = gatewayOf(gateways, 'card');
  if (!cards) throw new Error('The gateway for cards has no calls for them');
  return cards;
}

/**
 * Checks that a card may pay: it is known, has not expired and is, when new, no debit card of a bank that the card provider
 * does not take (2002). A saved one has paid or was checked. The facts of a new card come from the gateway now, those of a
 * saved one from when it was saved or last used.
 * @returns the gateway's ID of it, and what is the same for the same card
 */
export async function usableCard(deps: PaymentDeps, choice: CardChoice): Promise<Refusal | UsableCard> {
  const made = 'made' in choice ? await cardCalls(deps).read(choice.made) : undefined;
  const card =
    'made' in choice
      ? made
      : await cardsOf(deps.db, choice.customerId)
          .select(['provider_ref as ref', 'fingerprint'])
          .where('id', '=', choice.saved)
          .executeTakeFirst();
  if (!card) return refuse('cardNotFound');
  if (isPast(card, deps.clock.now())) return refuseFields({ card: 'form.cardExpiry.past' });
  if (made && isUnsupportedDebit(made, deps.unsupportedDebitIssuers)) return refuse('cardDeclined');
  if (made && (await deps.isBlocked(deps.db, 'card', made.fingerprint))) return refuse('accessRestricted');
  return { ref: card.ref, fingerprint: card.fingerprint };
}
