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
/** Whether it can be changed: nothing is owed, and it goes on. */
export const isChangeable = (known: Known): boolean => known.status === 'active' && known.renews;
