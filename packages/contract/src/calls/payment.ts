import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { currency, id, minor } from '../schema.ts';
import { payBy, providerRef, tried } from './paying.ts';
import { humanCheck } from './session.ts';

const card = z.object({
  id,
  brand: z.string(),
  last4: z.string(),
  expiryMonth: z.int(),
  expiryYear: z.int(),
  /** As it stands on the card. */
  holder: z.string().optional(),
  /** Too old to pay with. */
  isPast: z.boolean(),
  isDefault: z.boolean(),
});

/** What the page asks the bank's question with, through the provider's script. */
const question = z.object({ clientSecret: z.string() });

/** How an invoice stands that its customer pays by his own hand. */
const invoiceState = z.object({ status: z.enum(['open', 'paid', 'void']), ...tried });

export const paymentCalls = {
  getCard: endpoint({
    method: 'GET',
    path: '/v1/payment/stripe/getCard',
    auth: 'customer',
    summary: 'What the customer can pay with: saved cards, accounts at PayPal, and what he has in credit',
    data: z.object({
      cards: z.array(card),
      /** Accounts at PayPal, by their masked names. */
      accounts: z.array(z.object({ id, account: z.string(), isDefault: z.boolean() })),
      /** Used first on the next invoice in its currency. `goodwill`: what staff gave of it lately, the latest first. */
      credit: z.array(
        z.object({
          currency,
          amount: minor,
          goodwill: z.array(z.object({ amount: minor, at: z.iso.datetime() })),
        }),
      ),
      /** Unpaid renewals: charged at once to a card that is saved, or to what is made the default. */
      owed: z.array(z.object({ currency, amount: minor })),
    }),
  }),
  updPayment: endpoint({
    method: 'POST',
    path: '/v1/payment/stripe/updPayment',
    auth: 'customer',
    rights: 'application',
    once: true,
    limit: 'changeCards',
    stepUp: true,
    summary:
      'Change what is saved, one thing a call: `card` begins to save one, `setupIntent` goes on after the bank has asked, `makeDefault` and `remove` name what is saved',
    body: z
      .strictObject({
        card: providerRef.optional(),
        setupIntent: providerRef.optional(),
        makeDefault: id.optional(),
        remove: id.optional(),
        /** With a card: what it takes the place of. */
        replaces: id.optional(),
        humanCheck,
      })
      .refine(
        ({ card, setupIntent, makeDefault, remove }) =>
          [card, setupIntent, makeDefault, remove].filter(part => part !== undefined).length === 1,
      ),
    data: z.object({
      card: card.optional(),
      /** The bank asks first: when it is answered, `setupIntent` is sent. */
      asked: question.extend({ setupIntent: z.string() }).optional(),
    }),
  }),
  payment: endpoint({
    method: 'POST',
    path: '/v1/payment/stripe/payment',
    auth: 'customer',
    rights: 'application',
    once: true,
    limit: 'pay',
    summary:
      'Pay an open invoice by any method, with `card` by one that the page has made; asked again, the same payment',
    body: z.strictObject({ invoiceId: id, ...payBy, card: providerRef.optional(), humanCheck }),
    data: invoiceState,
  }),
  /** Beyond the 46 calls of W48. */
  askInvoice: endpoint({
    method: 'POST',
    path: '/v1/payment/askInvoice',
    auth: 'customer',
    rights: 'application',
    limit: 'askPayment',
    summary: 'Ask the provider how the payment of an invoice stands, and settle',
    body: z.strictObject({ invoiceId: id }),
    data: invoiceState,
  }),
};
