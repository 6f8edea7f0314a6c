import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { country, deviceLabel, id } from '../schema.ts';
import { device } from './subscription.ts';

const subscription = z.object({
  id,
  label: deviceLabel.optional(),
  /** Past due is active: whether it is paid is not a member's business. */
  status: z.enum(['provisioning', 'active', 'expired']),
  suspended: z.boolean(),
  provider: z.string(),
  region: z.string(),
  regionId: id,
  country,
  vendor: z.string(),
  /** The static IP; absent until a host serves it. */
  address: z.string().optional(),
  /** How many devices the caller may have on it, and has. */
  devices: z.int(),
  keyCount: z.int(),
  /** Whether `addKey` is possible now. */
  canAdd: z.boolean(),
});

/** Subscriptions as a member sees them: those that they have a part in, with their own devices and no money. */
export const memberCalls = {
  subscriptions: endpoint({
    method: 'GET',
    path: '/v1/member/subscriptions',
    auth: 'customer',
    role: 'member',
    summary: 'Subscriptions on which the caller has a device or may have one; newest first',
    data: z.object({ items: z.array(subscription) }),
  }),
  subscription: endpoint({
    method: 'GET',
    path: '/v1/member/subscription',
    auth: 'customer',
    role: 'member',
    summary: 'One of these subscriptions, with the caller’s own devices',
    query: z.strictObject({ id }),
    data: subscription.extend({
      keys: z.array(device),
      /** Deleted devices whose end the host has not confirmed yet: they can still connect. */
      ending: z.array(device.pick({ id: true, name: true, label: true })),
      /** False while its host does not report. */
      hostReachable: z.boolean(),
    }),
  }),
};
