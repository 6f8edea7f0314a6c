import { REFUND_ISSUES } from '@fixpoint/sandbox/paypal/refund-issues.ts';
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { BtcpayRefusal } from './btcpay/client.ts';
import { refusedRefund as byBtcpay } from './btcpay/refund-refusals.ts';
import { PaypalRefused } from './paypal/client.ts';
import { refusedRefund as byPaypal } from './paypal/refund-refusals.ts';
import { refusedRefund as byStripe } from './stripe/refund-refusals.ts';

const ofPaypal = (issue: string, statusCode = 422) =>
  new PaypalRefused({ statusCode, body: JSON.stringify({ details: [{ issue }] }) });
const ofStripe = (facts: object) =>
  new Stripe.errors.StripeInvalidRequestError({ type: 'invalid_request_error', message: 'no', ...facts });

test("BG3 every issue that PayPal documents for a refund is classified, but for mistakes of the shop's own", () => {
  const unknown = Object.keys(REFUND_ISSUES).filter(issue => {
    try {
      return byPaypal(ofPaypal(issue)).failure !== issue;
    } catch {
      return true;
    }
  });
  expect(unknown).toEqual(['REFUND_CAPTURE_CURRENCY_MISMATCH', 'DUPLICATE_INVOICE_ID']);
  expect(byPaypal(ofPaypal('REFUND_TIME_LIMIT_EXCEEDED')).refused).toBe('never');
  expect(() => byPaypal(ofPaypal('REFUND_TIME_LIMIT_EXCEEDED', 403))).toThrow('PayPal refused with 403');
});

test("BG3 Stripe's and BTCPay's refusals are classified; any other error stays one", () => {
  expect(byStripe(ofStripe({ code: 'charge_not_refundable' })).refused).toBe('never');
  expect(byStripe(ofStripe({ code: 'charge_disputed' })).refused).toBe('disputed');
  // More than is left has no code.
  expect(byStripe(ofStripe({ param: 'amount' })).refused).toBe('gone');
  for (const other of [
    ofStripe({ code: 'resource_missing', param: 'amount' }),
    ofStripe({}),
    new Error('no'),
  ])
    expect(() => byStripe(other)).toThrow('no');
  expect(byBtcpay(new BtcpayRefusal(400, '{"code":"non-refundable"}')).refused).toBe('later');
  for (const other of [
    new BtcpayRefusal(404, 'non-refundable'),
    new BtcpayRefusal(400, 'else'),
    new Error('no'),
  ])
    expect(() => byBtcpay(other)).toThrow();
});
