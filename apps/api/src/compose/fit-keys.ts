import { liftLimits } from '../modules/bandwidth/index.ts';
import { closePort, dropSurplusKeys } from '../modules/key/index.ts';
import type { PlanDeps } from '../modules/subscription/index.ts';
import type { Clock } from '../ports/clock.ts';
import type { LiveBus } from '../ports/live.ts';

/** What the keys of a subscription lose to a smaller plan. */
export const fitKeys =
  (deps: { clock: Clock; live: LiveBus }): PlanDeps['fitKeys'] =>
  async (tx, of, { devices, rateMbit, portForward }) => {
    await dropSurplusKeys(deps, tx, of, devices);
    await liftLimits(tx, of.subscriptionId, rateMbit);
    if (!portForward) await closePort(tx, of.subscriptionId);
  };
