import type { subscriptionCalls } from '@fixpoint/contract/calls/subscription.ts';
import type { Handlers } from '../../caller.ts';
import { refuse } from '../../refusal.ts';
import { cancelSubscription } from './cancel.ts';
import { type PlanningDeps, planDowngrade } from './plan-downgrade.ts';
import { subscriptionsView, subscriptionView } from './view.ts';

export function subscriptionHandlers(deps: PlanningDeps) {
  const { db, clock } = deps;
  return {
    mySubscription: ({ body }, { customerId }) => subscriptionsView(db, clock.now(), customerId, body),

    async getSubscription({ query }, { customerId }) {
      return (
        (await subscriptionView(db, clock.now(), customerId, query.id)) ?? refuse('subscriptionNotFound')
      );
    },

    cancelSubscription: ({ body }, { customerId }) => cancelSubscription(deps, customerId, body),

    planDowngrade: ({ body }, { customerId }) => planDowngrade(deps, customerId, body),
  } satisfies Handlers<typeof subscriptionCalls>;
}
