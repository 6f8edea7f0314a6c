import { z } from 'zod';
import { cardRefusal, invalid } from '../errors.ts';
import {
  attach,
  attachDecline,
  createMethod,
  detach,
  findMethod,
  type MethodData,
  mergeBilling,
  usedUp,
} from '../methods.ts';
import { address, checkEmail, integer, mergeMetadata, metadata, text } from '../params.ts';
import { changes, emit } from '../state.ts';
import { liveCustomer } from './customers.ts';
import { type Call, type Endpoint, endpoint } from './endpoint.ts';
import { list, paging } from './list.ts';

const billing = z
  .strictObject({
    address: address.optional(),
    email: text.optional(),
    name: text.optional(),
    phone: text.optional(),
  })
  .optional();

/** Parameters of a payment method that is created inline. */
export const methodData = {
  type: z.enum(['card', 'promptpay']),
  billing_details: billing,
  card: z
    .strictObject({
      number: text.optional(),
      exp_month: integer.optional(),
      exp_year: integer.optional(),
      cvc: text.optional(),
      token: text.optional(),
    })
    .optional(),
  promptpay: z.union([z.strictObject({}), z.literal('')]).optional(),
  metadata: metadata.optional(),
};

/**
 * Creates a payment method. A card number is accepted from a browser only, never from the shop's
 * server.
 */
export function createGivenMethod(call: Call, data: MethodData) {
  if (data.card?.number && !call.publishable) {
    throw invalid(
      'Sending credit card numbers directly to the Stripe API is generally unsafe. We suggest you use test tokens that map to the test card you are using, see https://docs.stripe.com/testing. To enable testing raw card data APIs, see https://support.stripe.com/questions/enabling-access-to-raw-card-data-apis.',
    );
  }
  checkEmail(data.billing_details?.email, 'billing_details[email]');
  return createMethod(call.state, data);
}

export const paymentMethodEndpoints: Endpoint[] = [
  endpoint(
    'POST',
    '/v1/payment_methods',
    methodData,
    (call, given) => createGivenMethod(call, given),
    'publishable',
  ),
  endpoint(
    'GET',
    '/v1/payment_methods',
    { ...paging, customer: text.optional(), type: text.optional() },
    (call, given) => {
      if (given.customer) liveCustomer(call.state, given.customer);
      const rows = call.state.paymentMethods
        .all()
        .filter(
          method =>
            method.customer === (given.customer ?? null) && (!given.type || method.type === given.type),
        );
      return list(call, rows, given);
    },
  ),
  endpoint('GET', '/v1/payment_methods/:id', {}, ({ state }, _, id) =>
    findMethod(state, id, 'payment_method'),
  ),
  endpoint(
    'POST',
    '/v1/payment_methods/:id',
    {
      billing_details: billing,
      metadata: metadata.optional(),
      card: z.strictObject({ exp_month: integer.optional(), exp_year: integer.optional() }).optional(),
    },
    ({ state, cause }, given, id) => {
      const before = findMethod(state, id, 'payment_method');
      if (!before.customer) {
        throw invalid('You must save this PaymentMethod to a customer before you can update it.', {
          param: 'payment_method',
        });
      }
      const after = state.paymentMethods.put(id, {
        ...before,
        billing_details: mergeBilling(before.billing_details, given.billing_details),
        metadata: mergeMetadata(before.metadata ?? {}, given.metadata),
        ...(before.card && { card: { ...before.card, ...given.card } }),
      });
      emit(state, cause, 'payment_method.updated', after, changes(before, after));
      return after;
    },
  ),
  endpoint('POST', '/v1/payment_methods/:id/attach', { customer: text }, ({ state, cause }, given, id) => {
    const customer = liveCustomer(state, given.customer);
    const method = findMethod(state, id, 'payment_method');
    if (method.type !== 'card') {
      throw invalid(`The payment method of type ${method.type} cannot be attached to a customer.`);
    }
    if (method.customer && method.customer !== customer.id) {
      throw invalid('The payment method you provided has already been attached to a customer.', {
        code: 'payment_method_unexpected_state',
        param: 'payment_method',
      });
    }
    if (!method.customer && state.cards.get(method.id)?.used) throw usedUp();
    const decline = attachDecline(state, method);
    if (decline) throw cardRefusal({ ...decline, payment_method: method });
    return attach(state, cause, method, customer.id);
  }),
  endpoint('POST', '/v1/payment_methods/:id/detach', {}, ({ state, cause }, _, id) =>
    detach(state, cause, findMethod(state, id, 'payment_method')),
  ),
];
