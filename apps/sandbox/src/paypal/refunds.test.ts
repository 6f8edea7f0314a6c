import { CheckoutPaymentIntent, CustomError } from '@paypal/paypal-server-sdk';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Harness, startHarness } from '../testing/harness.ts';
import { paypalClient, soldUnit } from '../testing/paypal-client.ts';
import type { PaypalLedger } from './ledger.ts';
import { REFUND_ISSUES, type RefundIssue, refundIssues } from './refund-issues.ts';

const DAY_MS = 86_400_000;

let sandbox: Harness;
let paypal: ReturnType<typeof paypalClient>;
beforeAll(async () => {
  sandbox = await startHarness();
  paypal = paypalClient(sandbox.url, 'sandbox-client', 'sandbox-secret');
});
beforeEach(() => sandbox.control('reset', {}));
afterEach(() => expect(sandbox.wrong).toEqual([]));
afterAll(() => sandbox.stop());

let count = 0;

/** Pays 199 baht. @returns the capture's id */
async function pay(funding?: 'bank'): Promise<string> {
  count += 1;
  const address = 'http://127.0.0.1/paypal';
  const { result } = await paypal.orders.createOrder({
    paypalRequestId: `order-${count}`,
    body: {
      intent: CheckoutPaymentIntent.Capture,
      purchaseUnits: [soldUnit(count)],
      paymentSource: { paypal: { experienceContext: { returnUrl: address, cancelUrl: address } } },
    },
  });
  await sandbox.control('paypal/approve', { order: result.id!, funding });
  const taken = await paypal.orders.captureOrder({
    id: result.id!,
    paypalRequestId: `capture-${count}`,
    prefer: 'return=representation',
  });
  return taken.result.purchaseUnits![0]!.payments!.captures![0]!.id!;
}

function refund(captureId: string, value?: string, more: { currencyCode?: string; invoiceId?: string } = {}) {
  count += 1;
  const { currencyCode = 'THB', invoiceId } = more;
  return paypal.payments.refundCapturedPayment({
    captureId,
    paypalRequestId: `refund-${count}`,
    prefer: 'return=representation',
    body: { ...(value && { amount: { currencyCode, value } }), ...(invoiceId && { invoiceId }) },
  });
}

/** Expects PayPal's refusal with the description of its API. */
async function expectRefused(call: Promise<unknown>, issue: RefundIssue): Promise<void> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof CustomError)) throw new Error('PayPal did not refuse', { cause: error });
  expect(error.statusCode).toBe(422);
  expect(error.result?.details).toEqual([{ issue, description: REFUND_ISSUES[issue] }]);
}

const dispute = (capture: string, more: object = {}) =>
  sandbox.control('paypal/disputes/open', { capture, ...more });
const close = (id: string, outcome: 'won' | 'lost') =>
  sandbox.control('paypal/disputes/close', { dispute: id, outcome });

it('is possible for 180 days after the payment, and refused afterwards', async () => {
  const capture = await pay();
  await sandbox.control('clock/advance', { ms: 179 * DAY_MS });
  expect((await refund(capture, '10.00')).result.status).toBe('COMPLETED');
  await sandbox.control('clock/advance', { ms: 2 * DAY_MS });
  await expectRefused(refund(capture, '10.00'), 'REFUND_TIME_LIMIT_EXCEEDED');
});

it('is refused while the bank has not paid, in another currency, above the rest, and when all is refunded', async () => {
  await expectRefused(refund(await pay('bank')), 'PENDING_CAPTURE');
  const capture = await pay();
  await expectRefused(refund(capture, '5.00', { currencyCode: 'USD' }), 'REFUND_CAPTURE_CURRENCY_MISMATCH');
  await expectRefused(refund(capture, '199.01'), 'REFUND_AMOUNT_EXCEEDED');
  await refund(capture);
  await expectRefused(refund(capture, '1.00'), 'CAPTURE_FULLY_REFUNDED');
});

it('is made once for an invoice id, whatever the request id', async () => {
  const capture = await pay();
  await refund(capture, '10.00', { invoiceId: 'ref_1' });
  await expectRefused(refund(capture, '10.00', { invoiceId: 'ref_1' }), 'DUPLICATE_INVOICE_ID');
  expect((await refund(capture, '10.00', { invoiceId: 'ref_2' })).result.status).toBe('COMPLETED');
});

it('in part is refused during a case at PayPal, in full it is not, and after a won case both are', async () => {
  const capture = await pay();
  const { id } = await dispute(capture);
  await expectRefused(refund(capture, '10.00'), 'TRANSACTION_DISPUTED');
  await close(id, 'won');
  expect((await refund(capture, '10.00')).result.status).toBe('COMPLETED');
  const another = await pay();
  await dispute(another);
  expect((await refund(another)).result.status).toBe('COMPLETED');
});

it('is refused during a chargeback and after a lost one, and possible after a won one', async () => {
  const chargeback = { channel: 'EXTERNAL' };
  const [won, lost] = [await pay(), await pay()];
  const { id } = await dispute(won, chargeback);
  await expectRefused(refund(won), 'REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK');
  await close(id, 'won');
  expect((await refund(won)).result.status).toBe('COMPLETED');
  const second = await dispute(lost, chargeback);
  await sandbox.control('paypal/disputes/close', { dispute: second.id, outcome: 'lost', amount: 10_000 });
  await expectRefused(refund(lost), 'REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK');
});

it('in full during a case leaves nothing for the buyer when the case is lost', async () => {
  const capture = await pay();
  const { id } = await dispute(capture);
  await refund(capture);
  await close(id, 'lost');
  const { balances, refunds } = await sandbox.control<PaypalLedger>('paypal/ledger');
  expect(refunds).toHaveLength(1);
  // The payment and its refund cancel out; the fee stays.
  expect(balances.THB).toMatchObject({ gross: 0, net: -1_976 });
});

it('is refused for every reason of PayPal’s on request', async () => {
  const capture = await pay();
  for (const issue of refundIssues) {
    await sandbox.control('paypal/refunds/refuse', { capture, issue });
    await expectRefused(refund(capture), issue);
  }
  await sandbox.control('paypal/refunds/refuse', { capture });
  expect((await refund(capture)).result.status).toBe('COMPLETED');
});
