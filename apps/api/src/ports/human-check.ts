import type { accountCalls } from '@fixpoint/contract/calls/account.ts';
import type { DataOf } from '@fixpoint/contract/endpoint.ts';

/**
 * Proof of work: cheap for one person, expensive for a million tries. It needs no action of the
 * person.
 */
export type HumanCheck = {
  challenge(): Promise<DataOf<typeof accountCalls.humanCheck>>;
  /** Whether this solves an unexpired, unused challenge of ours, which is then used up. */
  redeem(solution: string): Promise<boolean>;
};
