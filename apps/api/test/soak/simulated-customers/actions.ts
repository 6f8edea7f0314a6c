import type { FakeHost } from '@fixpoint/testkit/fake-host.ts';
import type { Prng } from '@fixpoint/testkit/load-test/prng.ts';
import type { TestShop } from '@fixpoint/testkit/shop.ts';
import type { JobRunner } from '../../../src/adapters/jobs/runner.ts';
import type { Way } from './bills.ts';
import type { Known, Place, Simulated } from './customer.ts';
import type { Limited } from './reserved-addresses.ts';
import type { Time } from './time.ts';

/** State of one simulation. */
export type Simulation = {
  shop: TestShop;
  jobs: JobRunner;
  time: Time;
  /** Customers; those who returned and gifts are at the end. */
  population: Simulated[];
  hosts: Record<Place, FakeHost>;
  /** Whether a disputed payment suspends its subscription until the dispute is won. */
  suspends: boolean;
  /** Texts of emails by id, each fetched once. */
  read: Map<string, string>;
  /** Reserved addresses by the email of their account that no whole paid period was paid for. */
  limited: Map<string, Limited[]>;
  /** Number of orders paid by each method. */
  used: Map<Way, number>;
};

/** An action of a customer, or an event that happens to their subscription. */
export type CustomerAction = {
  /** Name under which it is counted. */
  name: string;
  /** Whether it is possible at `now` for a customer in this state. */
  can(known: Known, now: Date): boolean;
  /** Whether it can also happen after the account has ended. */
  afterLeaving?: boolean;
  /**
   * Performs it through the shop's public calls, updates what is known of the customer, and expects the answer that follows
   * from it.
   * @throws NothingToDo
   */
  run(simulation: Simulation, simulated: Simulated, prng: Prng): Promise<void>;
};

/** Whether an action is possible for a customer in this state. */
export const isPossible = ({ can, afterLeaving = false }: CustomerAction, known: Known, now: Date): boolean =>
  (!known.left || afterLeaving) && can(known, now);

/** The action was possible by the customer's knowledge, but the shop had nothing to do. */
export class NothingToDo extends Error {}

export const isServed = ({ status }: Known): boolean => status !== 'expired';
/** All subscriptions of a customer's present account. */
export const allOf = ({ population }: Simulation, { email }: Simulated) =>
  population.filter(each => each.email === email && !each.known.left);

/** Marks contracts as unpredictable after a refund or chargeback: from now on the shop's rows say what remains of them. */
export function markUnpredictable({ population }: Simulation, { email }: Simulated): void {
  for (const { email: his, known } of population) if (his === email) known.contract.plain = false;
}

/** Whether the plan can change: nothing is past due, and the subscription continues. */
export const isChangeable = (known: Known): boolean =>
  known.status === 'active' && known.renews && !known.suspendedSince;

/** What a customer has paid by every method minus refunds, by the shop's books. */
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
