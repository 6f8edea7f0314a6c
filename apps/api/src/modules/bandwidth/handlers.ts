import type { subscriptionCalls } from '@fixpoint/contract/calls/subscription.ts';
import type { Handlers } from '../../kernel/caller.ts';
import { refuse } from '../../kernel/refusal.ts';
import { type AdjustDeps, adjust } from './adjust.ts';
import { beginSpeedTest, type MeasureDeps } from './measure.ts';
import { bandwidthView } from './view.ts';

export function bandwidthHandlers(deps: AdjustDeps & MeasureDeps) {
  return {
    async getBandwidth({ params }, caller) {
      return (
        (await bandwidthView(deps.db, deps.clock.now(), caller, params.id)) ?? refuse('subscriptionNotFound')
      );
    },
    adjustBw: ({ body }, { customerId }) => adjust(deps, customerId, body.id, body.keys),
    measure: ({ body }, caller) => beginSpeedTest(deps, caller, body.id),
  } satisfies Handlers<typeof subscriptionCalls>;
}
