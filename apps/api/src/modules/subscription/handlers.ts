import type { subscriptionCalls } from '@fixpoint/contract/calls/subscription.ts';
import type { Handlers } from '../../kernel/caller.ts';
import { refuse } from '../../kernel/refusal.ts';
import { cancelSubscription } from './cancel.ts';
import { connectedOf } from './connected.ts';
import { type DiagnoseDeps, diagnoseSubscription, restartServer } from './diagnose.ts';
import { type DowngradeDeps, planDowngrade } from './plan-downgrade.ts';
import { renameSubscription } from './rename.ts';
import { subscriptionsView, subscriptionView } from './view.ts';

export function subscriptionHandlers(deps: DowngradeDeps & DiagnoseDeps) {
  return {
    mySubscription: ({ body }, { customerId, language }) =>
      subscriptionsView(deps, customerId, language, body),

    renameSubscription: ({ body }, { customerId }) => renameSubscription(deps, customerId, body),

    getSubscription: async ({ query }, caller) =>
      (await subscriptionView(deps, caller, query.id)) ?? refuse('subscriptionNotFound'),

    connected: (_, { customerId, comesFrom }) => connectedOf(deps.db, customerId, comesFrom),

    diagnose: ({ body }, caller) => diagnoseSubscription(deps, caller, body),

    restartServer: ({ body }, caller) => restartServer(deps, caller, body.id),

    cancelSubscription: ({ body }, { customerId }) => cancelSubscription(deps, customerId, body),

    planDowngrade: ({ body }, { customerId }) => planDowngrade(deps, customerId, body),
  } satisfies Handlers<typeof subscriptionCalls>;
}
