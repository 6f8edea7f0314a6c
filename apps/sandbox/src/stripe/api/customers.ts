import type Stripe from 'stripe';
import { z } from 'zod';
import { cardRefusal, invalid, missing } from '../errors.ts';
import { attach, attachDecline, findMethod } from '../methods.ts';
import { newCustomer } from '../objects/customer.ts';
import { address, checkEmail, created, mergeMetadata, metadata, text } from '../params.ts';
import { changes, emit, type StripeState } from '../state.ts';
import { type Call, type Endpoint, endpoint } from './endpoint.ts';
import { createdWithin, list, paging } from './list.ts';

const fields = {
  address: z.union([address, z.literal('')]).optional(),
  description: text.optional(),
  email: text.optional(),
  invoice_settings: z.strictObject({ default_payment_method: text.optional() }).optional(),
  metadata: metadata.optional(),
  name: text.optional(),
  phone: text.optional(),
  preferred_locales: z.array(text).optional(),
};
type Fields = z.output<z.ZodObject<typeof fields>>;

/** Returns a customer that exists and is not deleted, or throws a 404. */
export function liveCustomer(state: StripeState, id: string, param = 'customer'): Stripe.Customer {
  const customer = state.customers.get(id);
  if (!customer || customer.deleted) throw missing('customer', id, param);
  return customer;
}

function change({ state }: Call, customer: Stripe.Customer, given: Fields): Stripe.Customer {
  const defaultMethod = given.invoice_settings?.default_payment_method;
  if (defaultMethod && state.paymentMethods.get(defaultMethod)?.customer !== customer.id) {
    throw invalid(
      `The customer does not have a payment method with the ID ${defaultMethod}. The payment method must be attached to the customer.`,
      { code: 'resource_missing', param: 'invoice_settings[default_payment_method]' },
    );
  }
  checkEmail(given.email, 'email');
  const set = <T>(value: string | undefined, old: T) => (value === undefined ? old : value || null);
  return {
    ...customer,
    address:
      given.address === undefined
        ? customer.address
        : given.address === ''
          ? null
          : fullAddress(given.address),
    description: set(given.description, customer.description),
    email: set(given.email, customer.email),
    name: set(given.name, customer.name),
    phone: set(given.phone, customer.phone),
    preferred_locales: given.preferred_locales ?? customer.preferred_locales,
    metadata: mergeMetadata(customer.metadata, given.metadata),
    invoice_settings: {
      ...customer.invoice_settings,
      default_payment_method: set(defaultMethod, customer.invoice_settings.default_payment_method),
    },
  };
}

const fullAddress = (given: z.output<typeof address>) => ({
  city: null,
  country: null,
  line1: null,
  line2: null,
  postal_code: null,
  state: null,
  ...given,
});

export const customerEndpoints: Endpoint[] = [
  endpoint('POST', '/v1/customers', { ...fields, payment_method: text.optional() }, (call, given) => {
    const { state, cause } = call;
    const empty = newCustomer(
      state.ids.next('cus_', 14),
      state.clock.seconds(),
      state.ids.next('', 8).toUpperCase(),
    );
    const method = given.payment_method ? findMethod(state, given.payment_method) : undefined;
    const decline = method && attachDecline(state, method);
    if (decline) throw cardRefusal({ ...decline, payment_method: method });
    const customer = state.customers.put(empty.id, change(call, empty, given)) as Stripe.Customer;
    emit(state, cause, 'customer.created', customer);
    if (method) attach(state, cause, method, customer.id);
    return customer;
  }),
  endpoint('GET', '/v1/customers', { ...paging, created, email: text.optional() }, (call, given) => {
    const rows = call.state.customers.all().filter(customer => !customer.deleted) as Stripe.Customer[];
    return list(
      call,
      rows.filter(row => createdWithin(row, given.created) && (!given.email || row.email === given.email)),
      given,
    );
  }),
  endpoint('GET', '/v1/customers/:id', {}, ({ state }, _, id) => {
    const customer = state.customers.get(id);
    if (!customer) throw missing('customer', id);
    return customer;
  }),
  endpoint('POST', '/v1/customers/:id', fields, (call, given, id) => {
    const before = liveCustomer(call.state, id, 'id');
    const after = call.state.customers.put(id, change(call, before, given));
    const previous = changes(before, after as Stripe.Customer);
    if (Object.keys(previous).length) emit(call.state, call.cause, 'customer.updated', after, previous);
    return after;
  }),
  endpoint('DELETE', '/v1/customers/:id', {}, ({ state, cause }, _, id) => {
    const customer = liveCustomer(state, id, 'id');
    for (const method of state.paymentMethods.all()) {
      if (method.customer !== id) continue;
      state.paymentMethods.put(method.id, { ...method, customer: null });
      const secret = state.cards.get(method.id);
      if (secret) state.cards.put(method.id, { ...secret, used: true });
    }
    emit(state, cause, 'customer.deleted', customer);
    return state.customers.put(id, { id, object: 'customer', deleted: true });
  }),
  endpoint(
    'GET',
    '/v1/customers/:id/payment_methods',
    { ...paging, type: text.optional(), allow_redisplay: text.optional() },
    (call, given, id) => {
      liveCustomer(call.state, id);
      const rows = call.state.paymentMethods
        .all()
        .filter(method => method.customer === id && (!given.type || method.type === given.type));
      return list(call, rows, given);
    },
  ),
];
