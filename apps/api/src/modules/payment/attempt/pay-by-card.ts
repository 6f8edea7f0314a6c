import { type DeclineCause, declineCause } from '@fixpoint/contract/decline-causes.ts';
import { declineRefusal } from '@fixpoint/domain/payment/attempt.ts';
import { failPoint } from '../../../kernel/failpoints.ts';
import { NamedFault, type Refusal } from '../../../kernel/refusal.ts';
import type { Reported } from '../../../ports/payment-gateway.ts';
import { type Admitted, claimCard, namesOfCard } from '../card-testing.ts';
import type { PaymentDeps } from '../deps.ts';
import { cardCalls, type UsableCard } from '../saved-method/index.ts';
import { type Attempt, attemptRef } from '../store.ts';
import { countDeclines } from './count-declines.ts';
import { followPayment } from './follow-payment.ts';
import { type OpenPayment, openPaymentOf } from './next-action.ts';
import { askInvoice } from './poll-attempt.ts';
import { attemptsOf, nextTry } from './store.ts';

/** `failure`: the bank declined; `cause`: why, where the cardholder can do something about it. */
export type PaidByCard = {
  paying?: OpenPayment | undefined;
  failure?: ReturnType<typeof declineRefusal>;
  cause?: DeclineCause | undefined;
};

/**
 * Pays the open card payment of an invoice. The server confirms the payment after checking the card, so that no money moves by
 * a card that the shop does not take. Where no payment is open, nothing is tried, and the current state is returned.
 */
export async function payByCard(
  deps: PaymentDeps,
  invoiceId: string,
  card: UsableCard,
  admitted: Admitted,
): Promise<Refusal | PaidByCard> {
  const attempts = await attemptsOf(deps.db, invoiceId);
  const attempt = attempts.find(
    ({ method, status, provider_ref }) => method === 'card' && status === 'open' && provider_ref,
  );
  if (!attempt) return { paying: await askInvoice(deps, invoiceId) };
  const refused = await claimCard(deps, { ...admitted, names: namesOfCard(admitted.names, card) });
  if (refused) return refused;
  if (attempt.expires_at) await endQuestion(deps, attempt);
  const reported = await confirm(deps, attempt, card.ref);
  failPoint('card.confirmed');
  await countDeclines(deps, attempt.id, reported);
  const followed = await followPayment(deps, attempt, reported);
  if (followed.status === 'failed') {
    return { failure: declineRefusal(reported.decline), cause: declineCause(reported.decline) };
  }
  return { paying: openPaymentOf('card', followed.status, reported) };
}

/** Forgets when the question about an earlier card ends: another card has its own. */
const endQuestion = ({ db }: PaymentDeps, { id }: Attempt) =>
  db.updateTable('attempt').set({ expires_at: null }).where('id', '=', id).execute();

/** Confirms the payment. Repeating it under another key is safe, because a payment is charged at most once. */
async function confirm(deps: PaymentDeps, attempt: Attempt, card: string): Promise<Reported> {
  try {
    return await cardCalls(deps).pay(await attemptRef(deps.db, attempt), card);
  } catch (error) {
    if (error instanceof NamedFault && error.answered) await nextTry(deps.db, attempt);
    throw error;
  }
}
