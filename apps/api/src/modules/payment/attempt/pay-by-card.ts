import { type DeclineCause, declineCause } from '@fixpoint/contract/decline-causes.ts';
import { declineRefusal } from '@fixpoint/domain/payment/attempt.ts';
import { failPoint } from '../../../kernel/failpoints.ts';
import { NamedFault } from '../../../kernel/refusal.ts';
import type { Reported } from '../../../ports/payment-gateway.ts';
import type { PaymentDeps } from '../deps.ts';
import { cardCalls } from '../saved-method/index.ts';
import { type Attempt, attemptRef } from '../store.ts';
import { countDeclines } from './count-declines.ts';
import { followPayment } from './follow-payment.ts';
import { type OpenPayment, openPaymentOf } from './next-action.ts';
import { askInvoice } from './poll-attempt.ts';
import { attemptsOf, nextTry } from './store.ts';

/** `failure`: its bank refused it, and `cause` where its holder can help that. */
export type PaidByCard = {
  paying?: OpenPayment | undefined;
  failure?: ReturnType<typeof declineRefusal>;
  cause?: DeclineCause | undefined;
};

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
