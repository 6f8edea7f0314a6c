import Stripe from 'stripe';
import { expect, test } from 'vitest';
import type { StripeSettings } from './client.ts';
import { webhookEventsOf } from './webhook.ts';

const stripe = new Stripe('sk_test_x');
const now = new Date('2026-07-01T00:00:00Z');
const secret = 'whsec_test';
const settings = {
  secret: 'sk_test_x',
  webhookSecrets: ['whsec_another', secret],
  clock: { now: () => now },
} as unknown as StripeSettings;
/** What is read of a signed delivery. */
const read = (payload: string, by = secret) =>
  webhookEventsOf(
    stripe,
    settings,
    Buffer.from(payload),
    stripe.webhooks.generateTestHeaderString({
      payload,
      secret: by,
      timestamp: Math.floor(now.getTime() / 1000),
    }),
  );

const thin = {
  id: 'evt_test_1',
  object: 'v2.core.event',
  type: 'v1.billing.meter.error_report_triggered',
  livemode: false,
  related_object: { id: 'mtr_1', type: 'billing.meter', url: '/v1/billing/meters/mtr_1' },
};

test.each<[string, unknown]>([
  ['a thin event', thin],
  [
    'an event without data',
    { id: 'evt_1', object: 'event', type: 'payment_intent.succeeded', livemode: false },
  ],
  ['data without an object', { id: 'evt_1', object: 'event', type: 'x', livemode: false, data: {} }],
  [
    'a type that is no text',
    { id: 'evt_1', object: 'event', type: 7, livemode: false, data: { object: {} } },
  ],
])('BG12 %s that Stripe has signed is taken and moves nothing', (_, event) => {
  expect(read(JSON.stringify(event))).toEqual([]);
});

test('BG12 a body that nobody at Stripe sends, or has signed, is forged', () => {
  for (const body of ['', '{', '{}', 'null', '[]', '"event"']) expect(read(body), body).toBe('forged');
  expect(read(JSON.stringify(thin), 'whsec_stranger')).toBe('forged');
});

test('an event with its object is read', () => {
  const object = { id: 'pi_1', object: 'payment_intent', metadata: { attempt_id: 'att_1' } };
  const event = {
    id: 'evt_1',
    object: 'event',
    type: 'payment_intent.succeeded',
    livemode: false,
    data: { object },
  };
  expect(read(JSON.stringify(event))).toEqual([
    { eventId: 'evt_1', type: event.type, about: 'payment', ref: 'pi_1', ours: 'att_1', moved: true },
  ]);
});
