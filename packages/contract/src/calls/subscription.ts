import { z } from 'zod';
import { cancelReasons } from '../cancel-reasons.ts';
import { endpoint } from '../endpoint.ts';
import {
  country,
  currency,
  cycleCount,
  deviceLabel,
  done,
  forwardedPort,
  id,
  instant,
  keyName,
  minor,
  money,
  ownWords,
  rateLimit,
} from '../schema.ts';
import { diagnosisCalls } from './diagnosis.ts';
import { happened } from './happened.ts';

const subscriptionStatuses = ['provisioning', 'active', 'pastDue', 'expired'] as const;
/** What this customer may do with it now; the rules live in the server. */
const allowedAction = z.enum([
  'addKey',
  'cancel',
  'resume',
  'reactivate',
  'upgrade',
  'replace',
  'adjustBandwidth',
  'forwardPort',
]);

/** The kinds of devices that a key is set up on. */
export const deviceKinds = ['ios', 'android', 'windows', 'macos', 'linux', 'chromeos'] as const;

const key = z.object({
  id,
  name: z.string(),
  /** What its owner calls the device, and what kind it is; as he said. */
  label: z.string().optional(),
  device: z.enum(deviceKinds).optional(),
  createdAt: instant,
  /** Newest certificate ends here; absent before the first download. */
  validUntil: instant.optional(),
  /** What a file holds has changed since the newest one was made: that one goes on working, a new one is better. */
  outdated: z.boolean(),
});
const subscription = z.object({
  id,
  status: z.enum(subscriptionStatuses),
  planId: id,
  cycleCount,
  provider: z.string(),
  region: z.string(),
  regionId: id,
  country: z.string(),
  vendor: z.string(),
  /** The static IP; absent until a host has it. */
  address: z.string().optional(),
  /** It has ended, and its address is kept for its customer until then. */
  addressHeldUntil: instant.optional(),
  devices: z.int(),
  keyCount: z.int(),
  dataTransferGb: z.int(),
  /** Bytes of this month (Asia/Bangkok), both directions. */
  usageBytes: z.int(),
  rateMbit: z.int(),
  startedAt: instant.optional(),
  periodEnd: instant.optional(),
  /** When it ended: after its paid time where the next was owed, before that where somebody ended it. */
  endedAt: instant.optional(),
  /** It goes on although its paid time is over, because the next is owed: turned off now, it ends at once. */
  overdue: z.boolean(),
  /** The renewal that waits for its money. */
  openInvoice: z
    .object({
      id,
      currency: money.shape.currency,
      amount: minor,
      /** Not paid by then, the subscription ends. */
      until: instant,
      /** Its customer has paid, and his provider has not decided on that yet: it is waited for, a day longer at most. */
      onItsWay: z.boolean(),
      /** It was refused, and is charged again then: for the last time where that is the last moment to pay. */
      nextTryAt: instant.optional(),
      /** It was refused, and is not charged again: it would be refused again, or its customer has to confirm it at his bank. */
      stopped: z.enum(['refused', 'confirm']).optional(),
    })
    .optional(),
  /** When the next period is charged, or its invoice is sent; absent where none is, or it was done. */
  billedAt: instant.optional(),
  /** The first of its devices' newest files ends here. */
  filesUntil: instant.optional(),
  /**
   * Nothing can be charged for it, what paid the last time could not, or it is a gift: its customer is asked for the next
   * payment.
   */
  byHand: z.boolean(),
  /** Somebody else bought it, and its customer has paid for no period of it since: his credit does not pay the next one. */
  isGift: z.boolean(),
  cancelAtPeriodEnd: z.boolean(),
  /** The one that takes its place: it ends when that runs. */
  replacedBy: id.optional(),
  /** Its keys are not let in, because a payment is disputed. */
  suspended: z.boolean(),
  /** Of the next period: of the cheaper plan, where one begins with it. */
  renewal: money,
  /** A cheaper plan that begins then; `final`: its first period is paid. */
  planned: z.object({ planId: id, from: instant, final: z.boolean() }).optional(),
  /** Another price (gross), or another rate of VAT, of the periods from then on; its customer was told. */
  announcedPrice: z.object({ price: minor, from: instant }).optional(),
  announcedVat: z.object({ rateBp: z.int(), from: instant }).optional(),
  allowedActions: z.array(allowedAction),
});
/** TCP and UDP of a port of the fixed IP, and the key of the device that they lead to. */
const forward = z.strictObject({ port: forwardedPort, keyId: id });
const detail = subscription.extend({
  ref: z.string(),
  keys: z.array(key),
  /** Absent while no port is open; whether one can be is in `allowedActions`. */
  forward: forward.optional(),
  /** False while the host that runs it does not answer. */
  hostReachable: z.boolean(),
  orderedAt: instant,
  /**
   * Its customer can withdraw from the contract until then, where he lives in one of these countries; `again`: not in full
   * any more, since he has withdrawn from one before. Without `until` he waits for it: as long as he does, he can wherever he
   * lives, and all that he paid comes back.
   */
  withdrawal: z
    .object({ until: instant.optional(), countries: z.array(country), again: z.boolean() })
    .optional(),
  /** What was paid last, gross, and for which days. */
  paid: z.object({ currency, amount: minor, from: instant, until: instant }).optional(),
  /** What happened to it, newest first; at most 50. */
  history: z.array(happened),
});
/** What comes back of a contract: the way it came, and as credit what credit paid. */
const refundable = z.strictObject({ currency, money: minor, credit: minor });
/** Bytes through the tunnel. */
const used = z.object({ downBytes: z.int(), upBytes: z.int() });

export const subscriptionCalls = {
  mySubscription: endpoint({
    method: 'POST',
    path: '/v1/subscription/mySubscription',
    auth: 'customer',
    reads: true,
    summary: 'Subscriptions of the customer, filtered and sorted',
    body: z.strictObject({
      status: z.enum(subscriptionStatuses).optional(),
      /** `soonest`: by the end of the paid time, those that have ended last. */
      sort: z.enum(['newest', 'oldest', 'soonest']).default('newest'),
      page: z.int().min(1).default(1),
      size: z.int().min(1).max(100).default(20),
    }),
    data: z.object({ items: z.array(subscription), total: z.int() }),
  }),
  getSubscription: endpoint({
    method: 'GET',
    path: '/v1/subscription/getSubscription',
    auth: 'customer',
    summary: 'One subscription with its keys and usage',
    query: z.strictObject({ id }),
    data: detail,
  }),
  /** Beyond the 46 calls of W48. */
  connected: endpoint({
    method: 'GET',
    path: '/v1/subscription/connected',
    auth: 'customer',
    summary:
      'Which of the customer’s own addresses this very call came from; where it came from is kept nowhere',
    data: z.object({ ids: z.array(id) }),
  }),
  cancelSubscription: endpoint({
    method: 'POST',
    path: '/v1/subscription/cancelSubscription',
    auth: 'customer',
    rights: 'application',
    limit: 'changeContract',
    summary: 'Cancel at the end of the period, or undo it',
    body: z.strictObject({
      id,
      reasons: z.array(z.enum(cancelReasons)).max(5).default([]),
      comment: ownWords.optional(),
      undo: z.boolean().default(false),
    }),
    data: z.object({ cancelAtPeriodEnd: z.boolean(), periodEnd: instant.optional() }),
  }),
  /** Beyond the 46 calls of W48. */
  planDowngrade: endpoint({
    method: 'POST',
    path: '/v1/subscription/planDowngrade',
    auth: 'customer',
    rights: 'application',
    limit: 'changeContract',
    summary: 'Have a cheaper plan begin with the next period, or with `planId` null take that back',
    body: z.strictObject({ id, planId: id.nullable() }),
    data: z.object({ planned: z.object({ planId: id, from: instant }).nullable() }),
  }),
  /** Beyond the 46 calls of W48. */
  withdrawal: endpoint({
    method: 'GET',
    path: '/v1/subscription/withdrawal',
    auth: 'customer',
    summary:
      'What would come back by withdrawing from the contract now, for who lives in that country, or still waits for it',
    query: z.strictObject({ id, country: country.optional() }),
    data: refundable,
  }),
  /** Beyond the 46 calls of W48. */
  withdraw: endpoint({
    method: 'POST',
    path: '/v1/subscription/withdraw',
    auth: 'customer',
    rights: 'application',
    summary: 'Withdraw from the contract: it ends at once, and `back`, as it was shown, comes back',
    body: z.strictObject({ id, country: country.optional(), back: refundable }),
    data: refundable,
  }),
  addKey: endpoint({
    method: 'POST',
    path: '/v1/subscription/addKey',
    auth: 'customer',
    once: true,
    limit: 'changeKeys',
    summary: 'A key for one more device; 4000 at the limit, 4001 for a name that exists',
    body: z.strictObject({
      subscriptionId: id,
      name: keyName,
      label: deviceLabel.optional(),
      device: z.enum(deviceKinds).optional(),
    }),
    data: key,
  }),
  deleteKey: endpoint({
    method: 'POST',
    path: '/v1/subscription/deleteKey',
    auth: 'customer',
    limit: 'changeKeys',
    summary: 'Delete a key: a live connection is cut, all of its files are refused for good',
    body: z.strictObject({ subscriptionId: id, keyId: id }),
    data: done,
  }),
  downloadKey: endpoint({
    method: 'POST',
    path: '/v1/subscription/downloadKey',
    auth: 'customer',
    limit: 'downloadKey',
    stepUp: true,
    summary: 'A new OpenVPN configuration file for the key; its private key is not kept',
    body: z.strictObject({
      subscriptionId: id,
      keyId: id,
      revokeEarlier: z.boolean().default(false),
      /** For a network that loses large packets: slower, and sure to arrive. */
      smallPackets: z.boolean().default(false),
    }),
    data: z.object({ fileName: z.string(), profile: z.string(), validUntil: instant }),
  }),
  /** Beyond the 46 calls of W48. */
  linkKey: endpoint({
    method: 'POST',
    path: '/v1/subscription/linkKey',
    auth: 'customer',
    limit: 'downloadKey',
    stepUp: true,
    summary:
      'A link by which another device gets a file for the key: once, within 10 minutes; an earlier one ends',
    body: z.strictObject({ subscriptionId: id, keyId: id }),
    /** In seconds, like every countdown: the clocks of customers' computers differ. */
    data: z.object({ token: z.string(), endsIn: z.int() }),
  }),
  /** Beyond the 46 calls of W48. */
  fetchKey: endpoint({
    method: 'POST',
    path: '/v1/subscription/fetchKey',
    auth: 'link',
    limit: 'fetchKey',
    summary: 'The file that such a link is for; the link is used up',
    body: z.strictObject({}),
    data: z.object({ fileName: z.string(), profile: z.string(), validUntil: instant }),
  }),
  getBandwidth: endpoint({
    method: 'GET',
    path: '/v1/subscription/bw/getByID/:id',
    auth: 'customer',
    summary: 'Rate of the line, limits of its keys, and what went over it by month and day',
    params: z.object({ id }),
    data: z.object({
      /** Of the plan, in Mbit/s, each way. */
      rateMbit: z.int(),
      /** A key without a limit has the whole line. */
      keys: z.array(
        key.pick({ id: true, name: true, label: true }).extend({ rateMbit: z.number().optional() }),
      ),
      dataTransferGb: z.int(),
      /** Of all keys, deleted ones too; newest first, those without use left out. Days are counted when they are over. */
      months: z.array(used.extend({ month: z.string() })),
      days: z.array(used.extend({ day: z.iso.date() })),
    }),
  }),
  adjustBw: endpoint({
    method: 'POST',
    path: '/v1/subscription/adjustBw',
    auth: 'customer',
    limit: 'changeKeys',
    summary: 'Limit single keys, each way; null takes a limit away. Connected devices stay connected',
    body: z.strictObject({
      id,
      keys: z.array(z.strictObject({ id, rateMbit: rateLimit.nullable() })).max(64),
    }),
    data: done,
  }),
  /** Beyond the 46 calls of W48. */
  forwardPort: endpoint({
    method: 'POST',
    path: '/v1/subscription/forwardPort',
    auth: 'customer',
    rights: 'application',
    limit: 'changeKeys',
    summary:
      'Have one port of the fixed IP lead to a device, or with `forward` null to none; 8002 where the plan has it not',
    body: z.strictObject({ id, forward: forward.nullable() }),
    data: done,
  }),
  /** Beyond the 46 calls of W48. */
  measure: endpoint({
    method: 'POST',
    path: '/v1/subscription/measure',
    auth: 'customer',
    limit: 'measure',
    summary: 'Begin to measure the line; without a ticket where the call does not come through it',
    body: z.strictObject({ id }),
    data: z.object({
      /** Opens `MEASURE_PATH` for half a minute, from where it was given. */
      ticket: z.string().optional(),
    }),
  }),
  ...diagnosisCalls,
};
