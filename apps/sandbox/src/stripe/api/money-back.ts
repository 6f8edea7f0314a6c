import type Stripe from 'stripe';
import { z } from 'zod';
import type { Table } from '../../store.ts';
import { closeDispute } from '../disputes.ts';
import { invalid, missing, unexpectedState } from '../errors.ts';
import { created, integer, mergeMetadata, metadata, text } from '../params.ts';
import { cancelRefund, createRefund, updateRefund } from '../refunds.ts';
import type { StripeState } from '../state.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { createdWithin, list, paging } from './list.ts';

function findRefund(state: StripeState, id: string): Stripe.Refund {
  const refund = state.refunds.get(id);
  if (!refund) throw missing('refund', id);
  return refund;
}

function findCharge(state: StripeState, given: { charge?: string; payment_intent?: string }): Stripe.Charge {
  if (given.payment_intent) {
    const intent = state.intents.get(given.payment_intent);
    if (!intent) throw missing('payment_intent', given.payment_intent, 'payment_intent');
    const charge = state.charges.get(String(intent.latest_charge));
    if (intent.status === 'succeeded' && charge) return charge;
    throw unexpectedState(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`, {
      param: 'payment_intent',
    });
  }
  if (!given.charge) {
    throw invalid(
      'One of the following params should be provided for this request: payment_intent or charge.',
      {
        code: 'parameter_missing',
      },
    );
  }
  const charge = state.charges.get(given.charge);
  if (!charge) throw missing('charge', given.charge, 'charge');
  return charge;
}

function findDispute(state: StripeState, id: string): Stripe.Dispute {
  const dispute = state.disputes.get(id);
  if (!dispute) throw missing('dispute', id, 'dispute');
  return dispute;
}

/** The refunds or disputes of a payment or charge, of a time range, or all. */
function ofPayment<T extends Stripe.Refund | Stripe.Dispute>(
  table: Table<T>,
  given: { created?: z.output<typeof created>; charge?: string; payment_intent?: string },
): T[] {
  return table
    .all()
    .filter(
      row =>
        createdWithin(row, given.created) &&
        (!given.charge || row.charge === given.charge) &&
        (!given.payment_intent || row.payment_intent === given.payment_intent),
    );
}

export const moneyBackEndpoints: Endpoint[] = [
  endpoint(
    'POST',
    '/v1/refunds',
    {
      amount: integer.optional(),
      charge: text.optional(),
      payment_intent: text.optional(),
      metadata: metadata.optional(),
      reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
    },
    ({ state, cause }, given) => {
      if (given.amount !== undefined && given.amount < 1) {
        throw invalid('This value must be greater than or equal to 1.', {
          code: 'parameter_invalid_integer',
          param: 'amount',
        });
      }
      return createRefund(state, cause, findCharge(state, given), {
        amount: given.amount,
        reason: given.reason ?? null,
        metadata: mergeMetadata({}, given.metadata),
      });
    },
  ),
  endpoint(
    'GET',
    '/v1/refunds',
    { ...paging, created, charge: text.optional(), payment_intent: text.optional() },
    (call, given) => list(call, ofPayment(call.state.refunds, given), given),
  ),
  endpoint('GET', '/v1/refunds/:id', {}, ({ state }, _, id) => findRefund(state, id)),
  endpoint('POST', '/v1/refunds/:id', { metadata: metadata.optional() }, ({ state, cause }, given, id) => {
    const refund = findRefund(state, id);
    return updateRefund(state, cause, refund, mergeMetadata(refund.metadata ?? {}, given.metadata));
  }),
  endpoint('POST', '/v1/refunds/:id/cancel', {}, ({ state, cause }, _, id) =>
    cancelRefund(state, cause, findRefund(state, id)),
  ),
  endpoint(
    'GET',
    '/v1/disputes',
    { ...paging, created, charge: text.optional(), payment_intent: text.optional() },
    (call, given) => list(call, ofPayment(call.state.disputes, given), given),
  ),
  endpoint('GET', '/v1/disputes/:id', {}, ({ state }, _, id) => findDispute(state, id)),
  endpoint('POST', '/v1/disputes/:id/close', {}, ({ state, cause }, _, id) =>
    closeDispute(state, cause, findDispute(state, id), 'lost'),
  ),
];
