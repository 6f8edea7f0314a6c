import type { ReportedState } from '@fixpoint/domain/payment/attempt.ts';
import {
  CaptureStatus,
  type Order,
  OrderStatus,
  type OrdersCapture,
  PaypalWalletVaultStatus,
  type Refund,
  RefundStatus,
} from '@paypal/paypal-server-sdk';
import { maskEmail } from '../../log/mask-email.ts';
import type { MethodFacts, Reported, ReportedRefund } from '../../ports/payment-gateway.ts';
import { amountOf } from './money.ts';

const stateOfCapture = ({ status }: OrdersCapture): ReportedState => {
  switch (status) {
    case CaptureStatus.Completed:
    case CaptureStatus.PartiallyRefunded:
    case CaptureStatus.Refunded:
      return 'succeeded';
    case CaptureStatus.Declined:
    case CaptureStatus.Failed:
      return 'failed';
    default:
      return 'processing';
  }
};

function stateOf({ status }: Order, capture: OrdersCapture | undefined): ReportedState {
  switch (status) {
    case OrderStatus.Completed:
      return capture ? stateOfCapture(capture) : 'processing';
    case OrderStatus.Approved:
      return 'approved';
    case OrderStatus.Voided:
      return 'closed';
    default:
      return 'open';
  }
}

/** Maps an order. */
export function paymentOf(order: Order): Reported {
  const [unit] = order.purchaseUnits ?? [];
  if (!order.id || !unit?.amount) throw new Error('PayPal answered with an order without an id or an amount');
  const capture = unit.payments?.captures?.[0];
  const state = stateOf(order, capture);
  const currency = unit.amount.currencyCode;
  const fee = capture?.sellerReceivableBreakdown?.paypalFee;
  const method = keptOf(order);
  const url = order.links?.find(({ rel }) => rel === 'payer-action' || rel === 'approve')?.href;
  return {
    ref: order.id,
    state,
    currency,
    amount: amountOf(unit.amount),
    received: state === 'succeeded' && capture?.amount ? amountOf(capture.amount) : 0,
    // A fee in another currency belongs to a conversion, not to the books of this payment.
    ...(fee?.currencyCode === currency && { fee: amountOf(fee) }),
    ...(state === 'failed' && { decline: capture?.statusDetails?.reason ?? 'DECLINED' }),
    ...(capture?.id && { chargeRef: capture.id }),
    ...(method && { method }),
    ...(state === 'approved' && payerOf(order)),
    ...(state === 'open' && url && { nextAction: { kind: 'redirect', url } }),
  };
}

const payerOf = ({ paymentSource }: Order): { payer?: string } => {
  const payer = paymentSource?.paypal?.accountId;
  return payer ? { payer } : {};
};

/** The buyer's account, if they agreed to automatic charges. */
function keptOf({ paymentSource }: Order): MethodFacts | 'later' | undefined {
  const { emailAddress, accountId, attributes } = paymentSource?.paypal ?? {};
  const { id, status } = attributes?.vault ?? {};
  if (!id) return undefined;
  if (status !== PaypalWalletVaultStatus.Vaulted) return 'later';
  return { ref: id, fingerprint: accountId ?? id, account: maskEmail(emailAddress ?? '') };
}

/** Maps a refund. */
export function refundOf({ id, status, statusDetails }: Refund): ReportedRefund {
  if (!id) throw new Error('PayPal answered with a refund without an id');
  const failed = status === RefundStatus.Failed || status === RefundStatus.Cancelled;
  return {
    ref: id,
    state: failed ? 'failed' : status === RefundStatus.Completed ? 'succeeded' : 'pending',
    ...(failed && { failure: statusDetails?.reason ?? status }),
  };
}
