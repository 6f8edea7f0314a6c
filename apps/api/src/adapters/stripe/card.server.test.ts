import { confirmCard } from '@fixpoint/testkit/buyer.ts';
import { gatewaySuite } from '@fixpoint/testkit/gateway-suite.ts';
import type { TestSandbox } from '@fixpoint/testkit/sandbox.ts';
import { stripeDriver } from '@fixpoint/testkit/stripe-driver.ts';
import { expect, test } from 'vitest';
import type { Reported } from '../../ports/payment-gateway.ts';
import { createStripeCard } from './card.ts';

const driverFor = (take: (sandbox: TestSandbox) => void) =>
  stripeDriver(createStripeCard, (sandbox, stripe) => {
    take(sandbox);
    const confirm = async ({ nextAction }: Reported, card: string) => {
      if (nextAction?.kind !== 'card') throw new Error('Nothing to confirm');
      return confirmCard({ sandbox }, nextAction.ref, card);
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
  });

gatewaySuite('card', () => driverFor(() => undefined));

test('X4 an amount below Stripe’s minimum is refused, and the attempt ends', async () => {
  let sandbox: TestSandbox;
  const driver = await driverFor(its => {
    sandbox = its;
  });
  const { gateway } = driver;
  const attempt = {
    id: 'att_small',
    invoiceId: 'inv_1',
    invoiceReference: 'R-1',
    currency: 'THB',
    amount: 10_00,
    key: 'att_small-1',
    number: 1,
    email: null,
    savedRef: null,
    bySaved: false,
    providerRef: null,
    gatewayCustomerRef: await gateway.createGatewayCustomer!({ id: 'pay_1', key: 'pay_1-1' }),
  };
  await sandbox!.control('settlement', { currency: 'usd' });
  const over = { ref: null, state: 'closed', received: 0 };
  const refused = await gateway.start(attempt);
  expect(refused).toMatchObject({ ...over, notMade: { field: 'paymentMethod' } });
  expect(refused).not.toHaveProperty('decline');
  const saved = { ...attempt, savedRef: 'pm_card_visa', bySaved: true, key: 'att_small-2' };
  expect(await gateway.start(saved)).toMatchObject({ ...over, decline: 'amount_too_small' });
  // A mistake in our request is not a decline of the card.
  const ours = await gateway.start({ ...saved, currency: 'XXX', amount: 500_00, key: 'att_small-3' });
  expect(ours).toMatchObject({ ...over, notMade: { cause: expect.any(Error) } });
  expect(ours).not.toHaveProperty('decline');
  await driver.stop();
});

test('P42 a payment whose bank asks is approved by the answer, and captured once by us', async () => {
  let sandbox: TestSandbox;
  const driver = await driverFor(its => {
    sandbox = its;
  });
  const { gateway } = driver;
  const asked = {
    id: 'att_asked',
    invoiceId: 'inv_1',
    invoiceReference: 'R-1',
    currency: 'THB',
    amount: 199_00,
    key: 'att_asked-1',
    number: 1,
    email: null,
    savedRef: null,
    bySaved: false,
    providerRef: null,
    gatewayCustomerRef: await gateway.createGatewayCustomer!({ id: 'pay_2', key: 'pay_2-1' }),
  };
  const begun = await gateway.start(asked);
  expect(begun.nextAction).toEqual({ kind: 'card', ref: begun.ref });
  const attempt = { ...asked, providerRef: begun.ref };
  const question = { state: 'open', nextAction: { kind: 'authenticate', clientSecret: expect.any(String) } };
  expect(await gateway.cards!.pay(attempt, await driver.makeCard!('asked'))).toMatchObject(question);
  expect(await gateway.capture!(attempt)).toMatchObject(question);
  await sandbox!.control('3ds/complete', { intent: begun.ref });
  const approved = await gateway.ask(attempt);
  expect(approved).toMatchObject({ state: 'approved', received: 0 });
  expect(approved).not.toHaveProperty('nextAction');
  for (const captured of await Promise.all([gateway.capture!(attempt), gateway.capture!(attempt)]))
    expect(captured).toMatchObject({ state: 'succeeded', received: 199_00 });
  expect(await gateway.capture!(attempt)).toMatchObject({ state: 'succeeded', received: 199_00 });
  await driver.stop();
});

test('M2 no card is charged in a currency with an unknown unit', () => {
  const { takes } = createStripeCard({} as never);
  expect([takes('CLP'), takes('KWD', 100_000_00), takes('KRW'), takes('KRW', 999_00)]).toEqual([
    ...[false, false, true, false],
  ]);
});
