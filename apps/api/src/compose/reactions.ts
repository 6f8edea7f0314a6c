import type { Listeners } from '../kernel/domain-event.ts';
import { raiseAlert } from '../modules/alert/index.ts';
import { liftLimits, notifyFairUse } from '../modules/bandwidth/index.ts';
import type { InvoiceEvent } from '../modules/billing/index.ts';
import { onInvoice } from '../modules/checkout/index.ts';
import { closePort, dropSurplusKeys } from '../modules/key/index.ts';
import { collectionMethodOf, type PaymentEvent } from '../modules/payment/index.ts';
import type { HostEvent } from '../modules/provisioning/index.ts';
import {
  chargeAmountsDue,
  liftSuspension,
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
 * Every domain event with its listeners, in the order in which they run. A publisher does not know its listeners, which may be
 * modules above it. All of them run in the publisher's transaction.
 */
export function salesReactions(
  deps: Deps & { gateways: Gateways; disputedService: 'suspend' | 'keep' },
): Listeners<InvoiceEvent | PaymentEvent | PlanEvent> {
  const { jobs, gateways, disputedService } = deps;
  const order = onInvoice(deps);
  const renewal = onRenewalInvoice(deps);
  return {
    // Published by payment, and by checkout where credit pays an order in full. Each listener ignores the other's invoices.
    invoicePaid: [order, renewal],
    paymentRefused: [order, renewal],
    paymentRetried: [order, renewal],
    paymentMoved: [order, renewal],
    paymentShort: [order, renewal],

    // Published by payment.
    paymentDisputed:
      disputedService === 'suspend'
        ? [(tx, { subscriptionId }) => suspend(deps, tx, subscriptionId, { cause: 'dispute' })]
        : [],
    // Regardless of the setting, so that a subscription that was suspended before it changed is restored.
    disputeResolved: [
      (tx, { subscriptionId }) => liftSuspension(deps, tx, subscriptionId, { cause: 'dispute' }),
    ],
    defaultMethodSet: [
      (tx, { customerId }) => {
        const collectionMethod = collectionMethodOf.bind(undefined, { gateways });
        return chargeAmountsDue({ jobs, collectionMethod }, tx, customerId);
      },
    ],

    // Published by subscription: ends what the new plan does not include.
    planChanged: [
      (tx, { subscriptionId, customerId, plan }) =>
        dropSurplusKeys(deps, tx, { subscriptionId, customerId }, plan.devices),
      (tx, { plan, subscriptionId }) => liftLimits(tx, subscriptionId, plan.rateMbit),
      async (tx, { plan, subscriptionId }) => plan.portForward || closePort(tx, subscriptionId),
    ],
  };
}

/**
 * Listeners of the events of VPN hosts, published by provisioning.
 * @param placeWaiting the scheduled task that finds hosts for subscriptions
 * @param activate activates a subscription whose tunnel is up
 */
export const hostReactions = (
  deps: Deps & { db: Db },
  placeWaiting: BoundTask,
  activate: (subscriptionId: string) => Promise<void>,
): Listeners<HostEvent> => ({
  usageGrew: [(tx, { used }) => notifyFairUse(deps, tx, used)],
  subscriptionUp: [(_, { subscriptionId }) => activate(subscriptionId)],
  hostEnrolled: [() => placeWaiting.run()],
  hostOvertaken: [
    (db, { hostId, revision }) =>
      raiseAlert(db, deps.clock.now(), { kind: 'host.overtaken', subject: hostId, what: { revision } }),
  ],
});
