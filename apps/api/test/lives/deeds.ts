import type { TestShop } from '@fixpoint/testkit/shop.ts';
import type { Dice } from '@fixpoint/testkit/storm/dice.ts';
import type { JobRunner } from '../../src/adapters/jobs/runner.ts';
import type { Way } from './bills.ts';
import type { Known, Life, Time } from './life.ts';

/** Where random lives are led. */
export type World = {
  shop: TestShop;
  jobs: JobRunner;
  time: Time;
  lives: readonly Life[];
  /** A subscription is suspended from the dispute of a payment until that is won. */
  suspends: boolean;
  /** What letters say that were read. */
  read: Map<string, string>;
  /** How often an order was paid by each way. */
  used: Map<Way, number>;
};

/** Something that somebody does to a subscription of a customer, or that happens to it. */
export type Deed = {
  /** What is counted. */
  name: string;
  /** Whether a customer of whom that is known can do it at `now`. */
  can(known: Known, now: Date): boolean;
  /**
   * Does it as everybody does it, by the shop's calls, says to what is known of him what has come of it, and expects the
   * answer that this leads to.
   * @throws NothingToDo
   */
  run(world: World, life: Life, dice: Dice): Promise<void>;
};

/** He could do it as far as he knew, and could not. */
export class NothingToDo extends Error {}

export const isServed = ({ status }: Known): boolean => status !== 'expired';
/** Money of somebody comes back, or is taken back: what of his contracts is left is the shop's to say from now on. */
export function muddle({ lives }: World, { email }: Life): void {
  for (const { email: his, known } of lives) if (his === email) known.contract.plain = false;
}

/** Whether it can be changed: nothing is owed, and it goes on. */
export const isChangeable = (known: Known): boolean =>
  known.status === 'active' && known.renews && !known.suspendedSince;
