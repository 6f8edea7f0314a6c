import { describe, expect, it } from 'vitest';
import { newCustomer } from '../stripe/objects/customer.ts';
import { newPaymentIntent, publicPaymentIntent } from '../stripe/objects/payment-intent.ts';
import { createStripeChecker } from './stripe-schema.ts';

describe('the check of emitted objects against the SDK’s types', { timeout: 60_000 }, () => {
  const check = createStripeChecker();
  const intent = newPaymentIntent('pi_1', 'x', 1, 100, 'thb');

  it('accepts what the types allow', () => {
    expect(check(intent)).toEqual([]);
    expect(check(newCustomer('cus_1', 1, 'ABC'))).toEqual([]);
    expect(check({ object: 'list', data: [intent], has_more: false, url: '/v1/payment_intents' })).toEqual(
      [],
    );
    expect(check({ id: 'cus_1', object: 'customer', deleted: true })).toEqual([]);
  });

  it.each([
    ['a missing member', { ...intent, metadata: undefined }],
    ['an unknown member', { ...intent, colour: 'red' }],
    ['a wrong type', { ...intent, amount: '100' }],
    ['a value outside the enum', { ...intent, status: 'paid' }],
    ['a null where none is allowed', { ...intent, currency: null }],
    [
      'an object that the sandbox does not have',
      { ...intent, application: { id: 'ca_1', object: 'application', name: null } },
    ],
    [
      'a fault inside a list',
      { object: 'list', data: [{ ...intent, livemode: 1 }], has_more: false, url: '/' },
    ],
    ['a list without its end', { object: 'list', data: [], url: '/' }],
    ['an unknown object', { id: 'x', object: 'sofa' }],
    ['an error with a member of ours', { error: { type: 'card_error', why: 'x' } }],
  ])('refuses %s', (_, body) => {
    expect(check(body)).not.toEqual([]);
  });

  it('refuses an event with an invalid object or an unknown type', () => {
    const event = {
      id: 'evt_1',
      object: 'event',
      api_version: 'x',
      created: 1,
      data: { object: intent },
      livemode: false,
      pending_webhooks: 0,
      request: null,
      type: 'payment_intent.created',
    };
    expect(check(event)).toEqual([]);
    expect(check({ ...event, type: 'payment_intent.updated' })).not.toEqual([]);
    expect(check({ ...event, data: { object: { ...intent, amount: null } } })).not.toEqual([]);
  });

  it('accepts the publishable key’s view only as such', () => {
    expect(check(publicPaymentIntent(intent), 'public')).toEqual([]);
    expect(check(publicPaymentIntent(intent))).not.toEqual([]);
    expect(check({ ...publicPaymentIntent(intent), amount: '1' }, 'public')).not.toEqual([]);
  });
});
