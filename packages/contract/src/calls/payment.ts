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
  /** Name on the card. */
  holder: z.string().optional(),
  /** Expired, by the rule of `isPast`. */
  isPast: z.boolean(),
  isDefault: z.boolean(),
});

/** Handle for the bank's authentication, through the provider's script. */
const question = z.object({ clientSecret: z.string() });

/** State of an invoice that its customer pays themselves. */
const invoiceState = z.object({ status: z.enum(['open', 'paid', 'void']), ...tried });

export const paymentCalls = {
  getCard: endpoint({
    method: 'GET',
    path: '/v1/payment/stripe/getCard',
    auth: 'customer',
    role: 'buyer',
    summary: 'Means of payment of the customer: saved cards, PayPal accounts and credit',
    data: z.object({
      cards: z.array(card),
      /** Accounts at PayPal, by their masked names. */
      accounts: z.array(z.object({ id, account: z.string(), isDefault: z.boolean() })),
      /**
       * Used first on the next invoice in its currency. `goodwill`: recent grants by staff, newest
       * first.
       */
      credit: z.array(
        z.object({
          currency,
          amount: minor,
          goodwill: z.array(z.object({ amount: minor, at: z.iso.datetime() })),
        }),
      ),
      /** Unpaid renewals: charged at once to a method that is made the default. */
      owed: z.array(z.object({ currency, amount: minor })),
    }),
  }),
  updPayment: endpoint({
    method: 'POST',
    path: '/v1/payment/stripe/updPayment',
    auth: 'customer',
    role: 'buyer',
    rights: 'application',
    once: true,
    limit: 'changeCards',
    stepUp: true,
    records: true,
    summary:
      'Change the saved methods, one at a time: `card` starts saving a card, `setupIntent` continues after the bank’s authentication, `makeDefault` and `remove` name a saved method. 8002 for whoever is no owner, except to add a method',
    body: z
      .strictObject({
        card: providerRef.optional(),
        setupIntent: providerRef.optional(),
        makeDefault: id.optional(),
        remove: id.optional(),
        /** With a card: the saved method that it replaces. */
        replaces: id.optional(),
        /**
         * With a card: renewals are charged to it from now on. Without it the default stays, unless there is none or
         * the card takes its place.
         */
        asDefault: z.boolean().optional(),
        humanCheck,
      })
      .refine(
        ({ card, setupIntent, makeDefault, remove }) =>
          [card, setupIntent, makeDefault, remove].filter(part => part !== undefined).length === 1,
      ),
    data: z.object({
      card: card.optional(),
      /** The bank authenticates first; afterwards send `setupIntent`. */
      asked: question.extend({ setupIntent: z.string() }).optional(),
    }),
  }),
  payment: endpoint({
    method: 'POST',
    path: '/v1/payment/stripe/payment',
    buys: 'always',
    auth: 'customer',
    role: 'buyer',
    rights: 'application',
    once: true,
    limit: 'pay',
    records: true,
    summary:
      'Pay an open invoice by any method, with `card` by one that the page has created; repeated, the same payment',
    body: z.strictObject({ invoiceId: id, ...payBy, card: providerRef.optional(), humanCheck }),
    data: invoiceState,
  }),
  /** Not one of the 46 calls of W48. */
  askInvoice: endpoint({
    method: 'POST',
    path: '/v1/payment/askInvoice',
    auth: 'customer',
    role: 'buyer',
    rights: 'application',
    limit: 'askPayment',
    summary: 'Poll the provider for the payment of an invoice and settle',
    body: z.strictObject({ invoiceId: id, humanCheck }),
    data: invoiceState,
  }),
};
