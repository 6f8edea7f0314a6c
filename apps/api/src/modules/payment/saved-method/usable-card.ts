import { isPast } from '@fixpoint/domain/payment/card.ts';
import { type Refusal, refuse, refuseFields } from '../../../kernel/refusal.ts';
import type { CardCalls } from '../../../ports/payment-gateway.ts';
import { gatewayOf, type PaymentDeps } from '../deps.ts';
import { cardsOf } from './saved-methods.ts';

/** A card that the page has just made, or a saved one. */
export type CardChoice = { made: string } | { saved: string; customerId: string };

/** The calls for cards of the gateway that has them. */
export function cardCalls({ gateways }: PaymentDeps): CardCalls {
  const { cards } = gatewayOf(gateways, 'card');
  if (!cards) throw new Error('The gateway for cards has no calls for them');
  return cards;
}

/**
 * A card that may pay: known, and not too old by our own rule. Of a made one the provider says so now; of a saved one
 * what it said when it was saved or last used.
 * @returns the provider's name of it
 */
export async function usableCard(deps: PaymentDeps, choice: CardChoice): Promise<Refusal | string> {
  const card =
    'made' in choice
      ? await cardCalls(deps).read(choice.made)
      : await cardsOf(deps.db, choice.customerId)
          .select('provider_ref as ref')
          .where('id', '=', choice.saved)
          .executeTakeFirst();
  if (!card) return refuse('cardNotFound');
  if (isPast(card, deps.clock.now())) return refuseFields({ card: 'form.cardExpiry.past' });
  return card.ref;
}
