import type { memberCalls } from '@fixpoint/contract/calls/member.ts';
import type { Handlers } from '../../kernel/caller.ts';
import { refuse } from '../../kernel/refusal.ts';
import { type MemberViewDeps, memberSubscription, memberSubscriptions } from './member-view.ts';

export function memberHandlers(deps: MemberViewDeps) {
  return {
    subscriptions: (_, caller) => memberSubscriptions(deps, caller),
    subscription: async ({ query }, caller) =>
      (await memberSubscription(deps, caller, query.id)) ?? refuse('subscriptionNotFound'),
  } satisfies Handlers<typeof memberCalls>;
}
