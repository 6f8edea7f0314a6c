import type { Listeners } from '../kernel/domain-event.ts';
import { raiseAlert } from '../modules/alert/index.ts';
import { liftLimits, notifyFairUse } from '../modules/bandwidth/index.ts';
import type { InvoiceEvent } from '../modules/billing/index.ts';
import { onInvoice } from '../modules/checkout/index.ts';
import { closePort, dropSurplusKeys } from '../modules/key/index.ts';
import { collectionMethodOf, type PaymentEvent } from '../modules/payment/index.ts';
import type { HostEvent } from '../modules/provisioning/index.ts';
import {
  activate,
  chargeAmountsDue,
  onRenewalInvoice,
  type PlanEvent,
  suspend,
} from '../modules/subscription/index.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { BoundTask, Jobs } from '../ports/jobs.ts';
import type { LiveBus } from '../ports/live.ts';
import type { Gateways } from '../ports/payment-gateway.ts';

type Deps = { clock: Clock; jobs: Jobs; live: LiveBus };

/**
 * Who reacts to what: every domain event with its listeners, in the order in which they run. A module publishes; it never
 * learns who listens, which may be one that stands above it. All of them run in the publisher's transaction.
 */
export function salesReactions(
  deps: Deps & { gateways: Gateways; disputedService: 'suspend' | 'keep' },
): Listeners<InvoiceEvent | PaymentEvent | PlanEvent> {
  const { jobs, gateways, disputedService } = deps;
  const transitionOrder = onInvoice(deps);
  const transitionSubscription = onRenewalInvoice(deps);
  return {
    // Published by payment, and by checkout where credit pays an order in full. An order and a renewal each know their own.
    invoicePaid: [transitionOrder, transitionSubscription],
    paymentRefused: [transitionOrder, transitionSubscription],
    paymentRetried: [transitionOrder, transitionSubscription],
    paymentMoved: [transitionOrder, transitionSubscription],

    // Published by payment.
    paymentDisputed:
      disputedService === 'suspend'
        ? [(tx, { subscriptionId }) => suspend(deps, tx, subscriptionId, true)]
        : [],
    // Whatever the setting says by now: what was suspended before it changed runs again.
    disputeResolved: [(tx, { subscriptionId }) => suspend(deps, tx, subscriptionId, false)],
    defaultMethodSet: [
      (tx, { customerId }) => {
        const collectionMethod = collectionMethodOf.bind(undefined, { gateways });
        return chargeAmountsDue({ jobs, collectionMethod }, tx, customerId);
      },
    ],

    // Published by subscription: what the plan has no room for ends.
    planChanged: [
      (tx, { subscriptionId, customerId, plan }) =>
        dropSurplusKeys(deps, tx, { subscriptionId, customerId }, plan.devices),
      (tx, { plan, subscriptionId }) => liftLimits(tx, subscriptionId, plan.rateMbit),
      async (tx, { plan, subscriptionId }) => plan.portForward || closePort(tx, subscriptionId),
    ],
  };
}

/**
 * The same of what VPN hosts report, published by provisioning.
 * @param placeWaiting the scheduled task that finds hosts for subscriptions
 */
export const hostReactions = (deps: Deps & { db: Db }, placeWaiting: BoundTask): Listeners<HostEvent> => ({
  usageGrew: [(tx, { used }) => notifyFairUse(deps, tx, used)],
  subscriptionUp: [(_, { subscriptionId }) => activate(deps, subscriptionId)],
  hostEnrolled: [() => placeWaiting.run()],
  hostOvertaken: [
    (db, { hostId, revision }) =>
      raiseAlert(db, deps.clock.now(), { kind: 'host.overtaken', subject: hostId, what: { revision } }),
  ],
});
