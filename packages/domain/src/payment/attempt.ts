import { canMove, type Transitions } from '../kernel/machine.ts';

/**
 * One try to get the money for an invoice (X2, X8).
 * `unknown`: the call left us but its answer did not arrive; only the provider can say, it is never sent anew blindly.
 */
export type AttemptStatus =
  | 'created'
  | 'requiresAction'
  | 'processing'
  | 'unknown'
  | 'succeeded'
  | 'failed'
  | 'canceled';

export const attemptTransitions = {
  created: ['requiresAction', 'processing', 'unknown', 'succeeded', 'failed', 'canceled'],
  unknown: ['created', 'requiresAction', 'processing', 'succeeded', 'failed', 'canceled'],
  requiresAction: ['processing', 'succeeded', 'failed', 'canceled'],
  processing: ['requiresAction', 'succeeded', 'failed', 'canceled'],
  // The provider lets a declined intent be confirmed again with another card.
  failed: ['requiresAction', 'processing', 'succeeded', 'canceled'],
  canceled: [],
  succeeded: [],
} as const satisfies Transitions<AttemptStatus>;

/** Attempts on which money may still arrive: at most one of them at a time for an invoice. */
export const openAttempt: readonly AttemptStatus[] = ['created', 'unknown', 'requiresAction', 'processing'];

/** Monotone: what the provider reports is taken over only where the table allows it, so disorder does no harm. */
export const followProvider = (status: AttemptStatus, reported: AttemptStatus): AttemptStatus =>
  canMove<AttemptStatus>(attemptTransitions, status, reported) ? reported : status;

/**
 * Name of the refusal that a customer sees for a provider's decline (P16). Never says lost, stolen or
 * fraudulent.
 */
export const declineRefusal = (declineCode: string | undefined): 'insufficientFunds' | 'cardDeclined' =>
  declineCode === 'insufficient_funds' ? 'insufficientFunds' : 'cardDeclined';
