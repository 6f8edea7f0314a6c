import { type DeclineCause, declineCause } from '@fixpoint/contract/decline-causes.ts';
import { declineRefusal } from '@fixpoint/domain/payment/attempt.ts';
import { isPast } from '@fixpoint/domain/payment/card.ts';
import { failPoint } from '../../../kernel/failpoints.ts';
import { NamedFault, type Refusal, refuse, refuseFields } from '../../../kernel/refusal.ts';
import type { CardCalls, Reported } from '../../../ports/payment-gateway.ts';
import { countDeclines } from '../card-testing.ts';
import type { PaymentDeps } from '../deps.ts';
import { cardsOf } from '../saved-method/saved-methods.ts';
import { type Attempt, attemptRef, attemptsOf, gatewayOf, nextTry } from '../store.ts';
import { askInvoice } from './ask-provider.ts';
import { followPayment } from './follow-payment.ts';
import { type OpenPayment, openPaymentOf } from './open-payment.ts';

/** A card that the page has just made, or one that its owner saved. */
export type CardChoice = { made: string } | { saved: string; customerId: string };
/** `failure`: its bank refused it, and `cause` where its holder can help that. */
export type PaidByCard = {
  paying?: OpenPayment | undefined;
  failure?: ReturnType<typeof declineRefusal>;
  cause?: DeclineCause | undefined;
};

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

/**
 * Pays the open card payment of an invoice. The card is looked at first and confirmed from here, so that no money moves by
 * one that we do not take. Where the payment is over or money is on its way, nothing is tried, and how it stands is said.
 */
export async function payByCard(deps: PaymentDeps, invoiceId: string, card: string): Promise<PaidByCard> {
  const attempts = await attemptsOf(deps.db, invoiceId);
  const attempt = attempts.find(
    ({ method, status, provider_ref }) => method === 'card' && status === 'open' && provider_ref,
  );
  if (!attempt) return { paying: await askInvoice(deps, invoiceId) };
  const reported = await confirm(deps, attempt, card);
  failPoint('card.confirmed');
  const followed = await followPayment(deps, attempt, reported);
  await countDeclines(deps, attempt.id, reported);
  if (followed.status === 'failed') {
    return { failure: declineRefusal(reported.decline), cause: declineCause(reported.decline) };
  }
  return { paying: openPaymentOf('card', followed.status, reported) };
}

/** Confirmed again under another key nothing is charged twice: a payment is charged once, whoever confirms it how often. */
async function confirm(deps: PaymentDeps, attempt: Attempt, card: string): Promise<Reported> {
  try {
    return await cardCalls(deps).pay(await attemptRef(deps.db, attempt), card);
  } catch (error) {
    if (error instanceof NamedFault && error.answered) await nextTry(deps.db, attempt);
    throw error;
  }
}
