import type { accountCalls } from '@fixpoint/contract/calls/account.ts';
import type { DataOf } from '@fixpoint/contract/endpoint.ts';

/** Proof of work: cheap for one person, dear for a million tries. It asks nothing of the person. */
export type HumanCheck = {
  challenge(): Promise<DataOf<typeof accountCalls.humanCheck>>;
  /** Whether this is the solution of a challenge of ours that has not run out and was not used before; uses it up. */
  redeem(solution: string): Promise<boolean>;
};
