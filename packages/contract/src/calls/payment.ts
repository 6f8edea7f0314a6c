import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id } from '../schema.ts';

const card = z.object({
  id,
  brand: z.string(),
  last4: z.string(),
  expiryMonth: z.int(),
  expiryYear: z.int(),
  isDefault: z.boolean(),
});

export const paymentCalls = {
  getCard: endpoint({
    method: 'GET',
    path: '/v1/payment/stripe/getCard',
    auth: 'customer',
    summary: 'Saved cards of the customer',
    data: z.object({ cards: z.array(card) }),
  }),
  updPayment: endpoint({
    method: 'POST',
    path: '/v1/payment/stripe/updPayment',
    auth: 'customer',
    rights: 'application',
    limit: 'pay',
    stepUp: true,
    summary: 'Save a card: without `setupIntent` begins, with the succeeded one makes it the default',
    body: z.strictObject({ setupIntent: z.string().max(200).optional() }),
    data: z.object({ clientSecret: z.string().optional(), card: card.optional() }),
  }),
  payment: endpoint({
    method: 'POST',
    path: '/v1/payment/stripe/payment',
    auth: 'customer',
    rights: 'application',
    limit: 'pay',
    summary: 'Pay an open invoice with a saved or a new card',
    body: z.strictObject({ invoiceId: id, cardId: id.optional() }),
    /** `open`: confirm with the provider's script. `processing`: not known yet. */
    data: z.object({ status: z.enum(['paid', 'open', 'processing']), clientSecret: z.string().optional() }),
  }),
};
