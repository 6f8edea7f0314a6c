import type { FakeHost } from '@fixpoint/testkit/fake-host.ts';
import type { Prng } from '@fixpoint/testkit/load-test/prng.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';
import type { JobRunner } from '../../../src/adapters/jobs/runner.ts';
import type { Way } from './bills.ts';
import type { Known, Place, Simulated, Time } from './customer.ts';

/** Where random lives are led. */
export type Simulation = {
  shop: TestShop;
  jobs: JobRunner;
  time: Time;
  /** Who came back, and what was given, is at the end. */
  population: Simulated[];
  hosts: Record<Place, FakeHost>;
  /** A subscription is suspended from the dispute of a payment until that is won. */
  suspends: boolean;
  /** What emails say that were read. */
  read: Map<string, string>;
  /** How often an order was paid by each way. */
  used: Map<Way, number>;
};

/** Something that somebody does to a subscription of a customer, or that happens to it. */
export type CustomerAction = {
  /** What is counted. */
  name: string;
  /** Whether a customer of whom that is known can do it at `now`. */
  can(known: Known, now: Date): boolean;
  /** It can also happen to somebody whose account has ended. */
  afterLeaving?: boolean;
  /**
   * Does it as everybody does it, by the shop's calls, says to what is known of him what has come of it, and expects the
   * answer that this leads to.
   * @throws NothingToDo
   */
  run(simulation: Simulation, simulated: Simulated, prng: Prng): Promise<void>;
};

/** Whether a deed can be done to a customer of whom that is known. */
export const canBeDone = ({ can, afterLeaving = false }: CustomerAction, known: Known, now: Date): boolean =>
  (!known.left || afterLeaving) && can(known, now);

/** He could do it as far as he knew, and could not. */
export class NothingToDo extends Error {}

export const isServed = ({ status }: Known): boolean => status !== 'expired';
/** What is his and has not ended with an account of his before. */
export const allOf = ({ population }: Simulation, { email }: Simulated) =>
  population.filter(each => each.email === email && !each.known.left);

/** Money of somebody comes back, or is taken back: what of his contracts is left is the shop's to say from now on. */
export function muddle({ population }: Simulation, { email }: Simulated): void {
  for (const { email: his, known } of population) if (his === email) known.contract.plain = false;
}

/** Whether it can be changed: nothing is owed, and it goes on. */
export const isChangeable = (known: Known): boolean =>
  known.status === 'active' && known.renews && !known.suspendedSince;

/** What a customer has handed over by every way to pay, and has not got back, as the shop's books say it. */
export const moneyOf = async ({ shop }: Simulation, simulated: Simulated) => {
  const { customer_id: customer } = await simulated.row();
  const { came } = await shop.db
    .selectFrom('attempt')
    .select(eb => eb.fn.sum('received').as('came'))
    .where('customer_id', '=', customer)
    .where('status', '=', 'succeeded')
    .executeTakeFirstOrThrow();
  const { back } = await shop.db
    .selectFrom('refund')
    .select(eb => eb.fn.sum('amount').as('back'))
    .where('customer_id', '=', customer)
    .where('status', '<>', 'failed')
    .executeTakeFirstOrThrow();
  return Number(came ?? 0) - Number(back ?? 0);
};
