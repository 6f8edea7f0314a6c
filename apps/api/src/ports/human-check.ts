import type { accountCalls } from '@fixpoint/contract/calls/account.ts';
import type { DataOf } from '@fixpoint/contract/endpoint.ts';

/**
 * Proof of work: cheap for one person, expensive for a million tries. It needs no action of the
 * person.
 */
export type HumanCheck = {
  /**
   * A challenge of so many units of work.
   * @param client who asks, by the hash of a network: one that asks often comes after all others
   * @returns undefined while too many of such a client are waiting
   */
  challenge(work: number, client: string): Promise<DataOf<typeof accountCalls.humanCheck> | undefined>;
  /**
   * @returns the units of work of the unexpired, unused challenge of ours that this solves, which is
   *   then used up; 0 if it solves none
   */
  redeem(solution: string): Promise<number>;
};
