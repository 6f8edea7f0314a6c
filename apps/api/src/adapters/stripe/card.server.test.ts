import { confirmIntent } from '@fixpoint/testkit/buyer.ts';
import { gatewaySuite } from '@fixpoint/testkit/gateway-suite.ts';
import { stripeDriver } from '@fixpoint/testkit/stripe-driver.ts';
import type { Reported } from '../../ports/payment-gateway.ts';
import { createStripeCard } from './card.ts';

gatewaySuite('card', () =>
  stripeDriver(createStripeCard, (sandbox, stripe) => {
    const confirm = async ({ payable }: Reported, card: string) => {
      if (payable?.kind !== 'confirm') throw new Error('Nothing to confirm');
      return confirmIntent(sandbox, payable.clientSecret, card);
    };
    return {
      currencies: ['THB', 'EUR', 'JPY'],
      async pay(payment) {
        const { status } = await confirm(payment, 'pm_card_visa');
        if (status !== 200) throw new Error(`Not paid: ${status}`);
      },
      decline: async payment => void (await confirm(payment, 'pm_card_visa_chargeDeclinedLostCard')),
      async makeCard(kind) {
        const numbers = { refused: 'tok_visa_chargeDeclined', asked: 'tok_threeDSecure2Required' };
        const token = kind ? numbers[kind] : 'tok_visa';
        return (await stripe.paymentMethods.create({ type: 'card', card: { token } })).id;
      },
      async spoil(_savedRef, customer) {
        return (await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer })).id;
      },
    };
  }),
);
