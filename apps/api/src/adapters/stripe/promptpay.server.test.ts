import type { GatewayDriver } from '@fixpoint/testkit/gateway-driver.ts';
import { gatewaySuite } from '@fixpoint/testkit/gateway-suite.ts';
import type { TestSandbox } from '@fixpoint/testkit/sandbox.ts';
import { stripeDriver } from '@fixpoint/testkit/stripe-driver.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AttemptRef } from '../../ports/payment-gateway.ts';
import { createStripePromptPay } from './promptpay.ts';

const driverFor = (take: (sandbox: TestSandbox) => void) =>
  stripeDriver(createStripePromptPay, sandbox => {
    take(sandbox);
    return {
      currencies: ['THB'],
      pay: async ({ ref }) => void (await sandbox.control('promptpay/pay', { intent: ref })),
    };
  });

gatewaySuite('promptpay', () => driverFor(() => undefined));

let driver: GatewayDriver;
let sandbox: TestSandbox;
beforeAll(async () => {
  driver = await driverFor(its => {
    sandbox = its;
  });
});
afterAll(() => driver.stop());

const anAttempt = async (id: string, email: string | null): Promise<AttemptRef> => ({
  id,
  invoiceId: 'inv_1',
  invoiceReference: 'R-1',
  currency: 'THB',
  amount: 199_50,
  key: `${id}-1`,
  number: 1,
  email,
  savedRef: null,
  bySaved: false,
  providerRef: null,
  gatewayCustomerRef: await driver.gateway.createGatewayCustomer!({ id: 'pay_1', key: 'pay_1-1' }),
});

test('P21 the page gets the content of the QR code, the amount and its expiry', async () => {
  const { nextAction } = await driver.gateway.start(await anAttempt('att_qr', 'payer@example.com'));
  expect(nextAction).toMatchObject({ kind: 'scan', amount: '199.50', unit: 'THB' });
  if (nextAction?.kind !== 'scan') throw new Error('Nothing to scan');
  expect(nextAction.text).toMatch(/^000201.*A000000677010112.*5406199\.50.*6304[0-9A-F]{4}$/);
});

test('a code that nobody scanned in time ends without a decline', async () => {
  const attempt = await anAttempt('att_over', 'payer@example.com');
  const { ref } = await driver.gateway.start(attempt);
  await sandbox.control('promptpay/expire', { intent: ref });
  const reported = await driver.gateway.ask({ ...attempt, providerRef: ref });
  expect(reported).toMatchObject({ state: 'closed', received: 0 });
  expect(reported).not.toHaveProperty('decline');
});

test('a buyer who corrects their address gets a code, too', async () => {
  const first = await driver.gateway.start(await anAttempt('att_mail', 'pyaer@example.com'));
  const second = await driver.gateway.start(await anAttempt('att_mail', 'payer@example.com'));
  expect(second).toMatchObject({ state: 'open', nextAction: { kind: 'scan' } });
  expect(second.ref).not.toBe(first.ref);
});

test('an address that Stripe refuses ends the attempt and names the field; a reused key does not', async () => {
  const attempt = await anAttempt('att_wrong', 'payer@example.1');
  const refused = await driver.gateway.start(attempt);
  expect(refused).toMatchObject({ ref: null, state: 'closed', notMade: { field: 'email' } });
  expect(refused).not.toHaveProperty('decline');
  const right = { ...attempt, email: 'payer@example.com' };
  await driver.gateway.start(right);
  await expect(driver.gateway.start({ ...right, amount: 200_00 })).rejects.toMatchObject({
    fault: 'providerUnreachable',
    answered: true,
  });
});

test('other currencies are not supported, nor amounts below ten baht', () => {
  const { takes } = driver.gateway;
  expect(['THB', 'USD', 'JPY'].map(currency => takes(currency))).toEqual([true, false, false]);
  expect([takes('THB', 9_99), takes('THB', 10_00)]).toEqual([false, true]);
});
