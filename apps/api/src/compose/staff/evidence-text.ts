import { minute } from '../../kernel/minute.ts';
import { moneyText } from '../../kernel/money-text.ts';
import type { DisputeEvidence } from '../../modules/payment/index.ts';
import type { LegalText } from '../../modules/text/index.ts';

/** A legal text without its markup, a line for each of its paragraphs. */
const plain = (html: string): string =>
  html
    .replace(/<[^>]+>/g, '')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\n\s*\n+/g, '\n')
    .trim();

/**
 * Evidence as the text that staff submits at the payment gateway.
 * @param terms as the buyer accepted them; undefined: nobody knows their wording any more
 */
export function evidenceText(
  { dispute: about, payment, invoice, order, delivery }: DisputeEvidence,
  terms: LegalText | undefined,
): string {
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
    ...(terms ? [`Terms of service, version ${terms.version}`, plain(terms.html), ''] : []),
  ];
  return lines.join('\n');
}
