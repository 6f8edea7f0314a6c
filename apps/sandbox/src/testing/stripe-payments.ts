import type Stripe from 'stripe';
import { eventually, type Harness } from './harness.ts';

/** Steps of payments at the sandbox's Stripe. @param sandbox returns the running harness */
export const paymentSteps = (sandbox: () => Harness) => ({
  /** Expects an event of that type about an object. */
  settled: (id: string, type: string) => eventually(() => sandbox().typesOf(id)).toContain(type),

  /** Creates a customer with a saved card. @param card `pm_card_…` */
  async customerWith(card: string): Promise<{ customer: string; method: string }> {
    const customer = await sandbox().stripe.customers.create({ email: 'ann@example.com' });
    const method = await sandbox().stripe.paymentMethods.attach(card, { customer: customer.id });
    return { customer: customer.id, method: method.id };
  },

  /** Creates and confirms a payment of 299 baht. */
  pay: (more: Partial<Stripe.PaymentIntentCreateParams>) =>
    sandbox().stripe.paymentIntents.create({
      amount: 29_900,
      currency: 'thb',
      allowed_payment_method_types: ['card'],
      confirm: true,
      ...more,
    }),
});
