import type { subscriptionCalls } from '@fixpoint/contract/calls/subscription.ts';
import type { Handlers } from '../../caller.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import { refuse } from '../../refusal.ts';
import { subscriptionsView, subscriptionView } from './view.ts';

export function subscriptionHandlers({ db, clock }: { db: Db; clock: Clock }) {
  return {
    mySubscription: ({ body }, { customerId }) => subscriptionsView(db, clock.now(), customerId, body),

    async getSubscription({ query }, { customerId }) {
      return (
        (await subscriptionView(db, clock.now(), customerId, query.id)) ?? refuse('subscriptionNotFound')
      );
    },
  } satisfies Handlers<typeof subscriptionCalls>;
}
