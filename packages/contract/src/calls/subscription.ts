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
  freeText,
  id,
  instant,
  keyName,
  minor,
  money,
  rateLimit,
  search,
} from '../schema.ts';
import { diagnosisCalls } from './diagnosis.ts';
import { happened } from './happened.ts';
import { paymentMethod } from './paying.ts';
import { humanCheck } from './session.ts';

const subscriptionStatuses = ['provisioning', 'active', 'pastDue', 'expired'] as const;
/** Actions that this customer may take now; the rules live in the server. */
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

/** Kinds of devices for which a key is set up. */
export const deviceKinds = ['ios', 'android', 'windows', 'macos', 'linux', 'chromeos'] as const;

/** A device as its user sees it. */
export const device = z.object({
  id,
  name: z.string(),
  /** Name and kind of the device, as its owner entered them. */
  label: z.string().optional(),
  device: z.enum(deviceKinds).optional(),
  createdAt: instant,
  /** Expiry of the newest certificate; absent before the first download. */
  validUntil: instant.optional(),
  /**
   * The contents of files have changed since the newest one was created: it still works, a new one
   * is better.
   */
  outdated: z.boolean(),
  /** Its host has not confirmed it yet: a connection would be refused. */
  settingUp: z.boolean(),
  /** The choice at its last download ({@link blockWhenEnded}). */
  blockWhenEnded: z.boolean(),
});
/** Whose a device is; absent for one's own. */
const user = z.object({ id, email: z.string(), name: z.string().optional() }).optional();
/** A device as owners and buyers see it. */
const key = device.extend({ user });
/** The device stays offline when its rights end, until its owner disconnects, as far as its app can. */
const blockWhenEnded = z.boolean();
const subscription = z.object({
  id,
  /** Its customer's name for it; absent: screens show its address. */
  label: deviceLabel.optional(),
  status: z.enum(subscriptionStatuses),
  planId: id,
  cycleCount,
  provider: z.string(),
  region: z.string(),
  regionId: id,
  country: z.string(),
  vendor: z.string(),
  /** The static IP; absent until a host serves it. */
  address: z.string().optional(),
  /** It has ended, and its address stays reserved for its customer until then. */
  addressHeldUntil: instant.optional(),
  devices: z.int(),
  keyCount: z.int(),
  dataTransferGb: z.int(),
  /** Bytes of this month (Asia/Bangkok), both directions. */
  usageBytes: z.int(),
  rateMbit: z.int(),
  startedAt: instant.optional(),
  periodEnd: instant.optional(),
  /**
   * When it ended: after its paid period if the next was past due, earlier if it was ended on
   * request.
   */
  endedAt: instant.optional(),
  /**
   * Still served after its paid period, because the next is past due: cancelled now, it ends at
   * once.
   */
  overdue: z.boolean(),
  /** Invoice of the unpaid renewal. */
  openInvoice: z
    .object({
      id,
      currency: money.shape.currency,
      amount: minor,
      /** Number of the open invoice, and the period that it pays. */
      reference: z.string(),
      period: z.object({ start: instant, end: instant }),
      /** Method that paid the last time, if any did. */
      lastMethod: paymentMethod.optional(),
      /** If it is not paid by then, the subscription ends. */
      until: instant,
      /** A payment was sent and is not confirmed yet; the shop waits for up to one more day. */
      onItsWay: z.boolean(),
      /** It was declined and is charged again then. */
      nextTryAt: instant.optional(),
      /**
       * It was declined and is not charged again: permanently, or until its customer confirms at
       * their bank.
       */
      stopped: z.enum(['refused', 'confirm']).optional(),
    })
    .optional(),
  /** When the next period is charged or its invoice sent; absent if never, or already done. */
  billedAt: instant.optional(),
  /** Earliest expiry of the devices' newest files. */
  filesUntil: instant.optional(),
  /** The customer has to pay the next period themselves (collection method `sendInvoice`). */
  byHand: z.boolean(),
  /**
   * Somebody else bought it, and its customer has paid no period since: their credit does not pay
   * the next one.
   */
  isGift: z.boolean(),
  cancelAtPeriodEnd: z.boolean(),
  /** Its replacement: this subscription ends when that one runs. */
  replacedBy: id.optional(),
  /** Its keys may not connect, because a payment is disputed. */
  suspended: z.boolean(),
  /** Price of the next period: of the cheaper plan, where one begins with it. */
  renewal: money,
  /** A cheaper plan that begins then; `final`: its first period is paid. */
  planned: z.object({ planId: id, from: instant, final: z.boolean() }).optional(),
  /** New price (gross) or VAT rate from then on; its customer was notified. */
  announcedPrice: z.object({ price: minor, from: instant }).optional(),
  announcedVat: z.object({ rateBp: z.int(), from: instant }).optional(),
  allowedActions: z.array(allowedAction),
});
/** Forwarded port (TCP and UDP) of the fixed IP, and the key of the device. */
const forward = z.strictObject({ port: forwardedPort, keyId: id });
const detail = subscription.extend({
  ref: z.string(),
  keys: z.array(key),
  /** Deleted keys whose end the host has not confirmed yet: they can still connect. */
  ending: z.array(key.pick({ id: true, name: true, label: true })),
  /** Absent while no port is open; `allowedActions` says whether one can be. */
  forward: forward.optional(),
  /** False while its host does not report. */
  hostReachable: z.boolean(),
  orderedAt: instant,
  /**
   * Right of withdrawal: until then, for residents of these countries. `again`: not in full any
   * more, because of an earlier withdrawal. Without `until` the subscription waits for a host:
   * everybody can withdraw and gets a full refund.
   */
  withdrawal: z
    .object({ until: instant.optional(), countries: z.array(country), again: z.boolean() })
    .optional(),
  /** Last payment, gross, and its days. */
  paid: z.object({ currency, amount: minor, from: instant, until: instant }).optional(),
  /** Its history, newest first; at most 50 events. */
  history: z.array(happened),
  /** How many users work for its customer. */
  people: z.int(),
});
/** Refund of a withdrawal: money by the original method, and credit. */
const refundable = z.strictObject({ currency, money: minor, credit: minor });
/** Traffic through the tunnel. */
const used = z.object({ downBytes: z.int(), upBytes: z.int() });

export const subscriptionCalls = {
  mySubscription: endpoint({
    method: 'POST',
    path: '/v1/subscription/mySubscription',
    auth: 'customer',
    role: 'buyer',
    reads: true,
    summary: 'Subscriptions of the customer, filtered and sorted',
    body: z.strictObject({
      status: z.enum(subscriptionStatuses).optional(),
      /** Part of a label, an address or the name of a place, in the language of the call. */
      search: search.optional(),
      /** `soonest`: by the end of the paid period, ended ones last. `name`: by label, then by address. */
      sort: z.enum(['newest', 'oldest', 'soonest', 'name']).default('newest'),
      page: z.int().min(1).default(1),
      size: z.int().min(1).max(100).default(20),
    }),
    /** `owned`: all of the customer's, whatever the filter. */
    data: z.object({ items: z.array(subscription), total: z.int(), owned: z.int() }),
  }),
  /** Not one of the 46 calls of W48. */
  renameSubscription: endpoint({
    method: 'POST',
    path: '/v1/subscription/rename',
    auth: 'customer',
    role: 'buyer',
    limit: 'rename',
    summary: 'Label a subscription; null removes the label',
    body: z.strictObject({ id, label: deviceLabel.nullable() }),
    data: z.object({ label: z.string().nullable() }),
  }),
  getSubscription: endpoint({
    method: 'GET',
    path: '/v1/subscription/getSubscription',
    auth: 'customer',
    role: 'buyer',
    summary: 'One subscription with its keys and usage',
    query: z.strictObject({ id }),
    data: detail,
  }),
  /** Not one of the 46 calls of W48. */
  connected: endpoint({
    method: 'GET',
    path: '/v1/subscription/connected',
    auth: 'customer',
    role: 'member',
    summary:
      'Subscriptions of the customer whose address this call came from; the source address is not stored',
    data: z.object({ ids: z.array(id) }),
  }),
  cancelSubscription: endpoint({
    method: 'POST',
    path: '/v1/subscription/cancelSubscription',
    auth: 'customer',
    role: 'buyer',
    rights: 'application',
    limit: 'changeContract',
    records: true,
    summary: 'Cancel at the end of the period, or undo it',
    body: z.strictObject({
      id,
      reasons: z.array(z.enum(cancelReasons)).max(5).default([]),
      comment: freeText.optional(),
      undo: z.boolean().default(false),
    }),
    data: z.object({ cancelAtPeriodEnd: z.boolean(), periodEnd: instant.optional() }),
  }),
  /** Not one of the 46 calls of W48. */
  planDowngrade: endpoint({
    method: 'POST',
    path: '/v1/subscription/planDowngrade',
    auth: 'customer',
    role: 'buyer',
    rights: 'application',
    limit: 'changeContract',
    records: true,
    summary: 'Schedule a cheaper plan for the next period; `planId` null cancels it',
    body: z.strictObject({ id, planId: id.nullable() }),
    data: z.object({ planned: z.object({ planId: id, from: instant }).nullable() }),
  }),
  /** Not one of the 46 calls of W48. */
  withdrawal: endpoint({
    method: 'GET',
    path: '/v1/subscription/withdrawal',
    auth: 'customer',
    role: 'buyer',
    summary:
      'Refund of a withdrawal now, for residents of that country or while the subscription waits for a host',
    query: z.strictObject({ id, country: country.optional() }),
    data: refundable,
  }),
  /** Not one of the 46 calls of W48. */
  withdraw: endpoint({
    method: 'POST',
    path: '/v1/subscription/withdraw',
    auth: 'customer',
    role: 'buyer',
    rights: 'application',
    limit: 'withdraw',
    records: true,
    summary: 'Withdraw from the contract: it ends at once, and `back`, as shown before, is refunded',
    body: z.strictObject({ id, country: country.optional(), back: refundable }),
    data: refundable,
  }),
  addKey: endpoint({
    method: 'POST',
    path: '/v1/subscription/addKey',
    auth: 'customer',
    role: 'member',
    once: true,
    limit: 'changeKeys',
    records: true,
    summary:
      'Add a key for a device; 4000 at the limit of the plan or of a member, 4001 for an existing name',
    body: z.strictObject({
      subscriptionId: id,
      name: keyName,
      label: deviceLabel.optional(),
      device: z.enum(deviceKinds).optional(),
    }),
    data: device,
  }),
  /** Not one of the 46 calls of W48. */
  addKeyFor: endpoint({
    method: 'POST',
    path: '/v1/subscription/addKeyFor',
    auth: 'customer',
    role: 'buyer',
    rights: 'application',
    once: true,
    limit: 'changeKeys',
    records: true,
    summary:
      'Add a key for a device of somebody who works for the customer, and email them a link that gives its file once within 3 days. 6001: nobody of that ID here; a member’s number is not asked',
    body: z.strictObject({
      subscriptionId: id,
      userId: id,
      name: keyName,
      label: deviceLabel.optional(),
      device: z.enum(deviceKinds).optional(),
    }),
    data: device,
  }),
  deleteKey: endpoint({
    method: 'POST',
    path: '/v1/subscription/deleteKey',
    auth: 'customer',
    role: 'member',
    limit: 'changeKeys',
    records: true,
    summary:
      'Delete a key: its host cuts its connection and refuses all of its files for good. Until the host has confirmed that, `ending` of the subscription lists it',
    body: z.strictObject({ subscriptionId: id, keyId: id }),
    data: done,
  }),
  downloadKey: endpoint({
    method: 'POST',
    path: '/v1/subscription/downloadKey',
    auth: 'customer',
    role: 'member',
    limit: 'downloadKey',
    stepUp: true,
    summary: 'Create an OpenVPN configuration file for the key; its private key is not stored',
    body: z.strictObject({
      subscriptionId: id,
      keyId: id,
      revokeEarlier: z.boolean().default(false),
      /** For networks that lose large packets; slower. */
      smallPackets: z.boolean().default(false),
      /** Absent: as chosen before. It holds for the key, so for its earlier files too as far as they can. */
      blockWhenEnded: blockWhenEnded.optional(),
    }),
    data: z.object({ fileName: z.string(), profile: z.string(), validUntil: instant }),
  }),
  /** Not one of the 46 calls of W48. */
  linkKey: endpoint({
    method: 'POST',
    path: '/v1/subscription/linkKey',
    auth: 'customer',
    role: 'member',
    limit: 'downloadKey',
    stepUp: true,
    summary:
      'Create a link by which another device gets a file for the key, once within 10 minutes; replaces an earlier one',
    body: z.strictObject({ subscriptionId: id, keyId: id, blockWhenEnded: blockWhenEnded.optional() }),
    /** In seconds, like every countdown, because the clocks of customers' computers differ. */
    data: z.object({ token: z.string(), endsIn: z.int() }),
  }),
  /** Not one of the 46 calls of W48. */
  fetchKey: endpoint({
    method: 'POST',
    path: '/v1/subscription/fetchKey',
    auth: 'link',
    limit: 'fetchKey',
    summary: 'Get the file of such a link, which is used up',
    body: z.strictObject({ humanCheck }),
    data: z.object({ fileName: z.string(), profile: z.string(), validUntil: instant }),
  }),
  getBandwidth: endpoint({
    method: 'GET',
    path: '/v1/subscription/bw/getByID/:id',
    auth: 'customer',
    role: 'member',
    summary: 'Line rate, limits of the keys, and usage by month; by day of one’s own keys',
    params: z.object({ id }),
    data: z.object({
      /** Line rate of the plan in Mbit/s, each way. */
      rateMbit: z.int(),
      /** A key without a limit may use the full line rate. */
      keys: z.array(
        key
          .pick({ id: true, name: true, label: true, user: true })
          /** `usageBytes`: of this month (Asia/Bangkok), both directions; absent for devices of others. */
          .extend({ rateMbit: z.number().optional(), usageBytes: z.int().optional() }),
      ),
      dataTransferGb: z.int(),
      /**
       * Usage of all keys, including deleted ones; newest first, without empty ones. For a member of
       * their own keys. `days`: of the caller's own keys only; they appear when they are over.
       */
      months: z.array(used.extend({ month: z.string() })),
      days: z.array(used.extend({ day: z.iso.date() })),
    }),
  }),
  adjustBw: endpoint({
    method: 'POST',
    path: '/v1/subscription/adjustBw',
    auth: 'customer',
    role: 'buyer',
    limit: 'changeKeys',
    records: true,
    summary: 'Set limits of keys, each way; null removes one. Connected devices stay connected',
    body: z.strictObject({
      id,
      keys: z.array(z.strictObject({ id, rateMbit: rateLimit.nullable() })).max(64),
    }),
    data: done,
  }),
  /** Not one of the 46 calls of W48. */
  forwardPort: endpoint({
    method: 'POST',
    path: '/v1/subscription/forwardPort',
    auth: 'customer',
    role: 'buyer',
    rights: 'application',
    limit: 'changeKeys',
    records: true,
    summary:
      'Forward one port of the fixed IP to a device, or to none with `forward` null; 8002 if the plan does not include it',
    body: z.strictObject({ id, forward: forward.nullable() }),
    data: done,
  }),
  /** Not one of the 46 calls of W48. */
  measure: endpoint({
    method: 'POST',
    path: '/v1/subscription/measure',
    auth: 'customer',
    role: 'member',
    limit: 'measure',
    summary: 'Begin a bandwidth measurement; no ticket if the call does not come through the tunnel',
    body: z.strictObject({ id }),
    data: z.object({
      /** Opens `MEASURE_PATH` for 30 seconds, from the same address. */
      ticket: z.string().optional(),
    }),
  }),
  ...diagnosisCalls,
};
