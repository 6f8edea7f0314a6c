import { minute } from '../../kernel/minute.ts';
import { moneyText } from '../../kernel/money-text.ts';
import type { DisputeEvidence } from '../../modules/payment/index.ts';

/** Evidence as the text that staff submits at the payment gateway. */
export function evidenceText({ dispute: about, payment, invoice, order, delivery }: DisputeEvidence): string {
  const lines = [
    `Evidence for dispute ${about.ref} (${about.reason}), ${moneyText(about.amount, about.currency)}`,
    '',
    'Order',
    ...(order
      ? [
          `  placed ${minute(order.orderedAt)} by ${order.email ?? 'a buyer whose account has ended'}, in language ${order.language ?? 'unknown'}`,
          `  terms of service accepted with it: version ${order.termsVersion ?? 'unknown'}`,
        ]
      : ['  not known any more']),
    '',
    'Payment and invoice',
    `  paid ${minute(payment.paidAt)} by ${payment.method}, payment ${payment.ref ?? 'unknown'}`,
    ...(invoice.isRenewal ? ['  a renewal of the subscription ordered above'] : []),
    `  invoice ${invoice.number ?? 'without a number'}, ${moneyText(invoice.total, invoice.currency)}`,
    ...invoice.lines.map(
      ({ text: { plan, place, cycleCount }, total }) =>
        `  ${plan}, ${place}, months: ${cycleCount}, ${moneyText(total, invoice.currency)}`,
    ),
    '',
    'Delivery',
    ...(delivery?.startedAt
      ? [
          `  the service was set up and has been available since ${minute(delivery.startedAt)}`,
          ...delivery.periods.map(({ from, until }) => `  paid period ${minute(from)} to ${minute(until)}`),
        ]
      : ['  the service was not set up: consider accepting the dispute']),
    '',
    'The service keeps no record of what its customers do with it, so there is none to submit.',
    '',
  ];
  return lines.join('\n');
}
