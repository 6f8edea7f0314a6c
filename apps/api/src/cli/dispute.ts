import { writeFile } from 'node:fs/promises';
import { type Evidence, evidenceOf, openDisputes } from '../modules/payment/index.ts';
import type { Db } from '../ports/database.ts';
import { type Command, noMore, UsageError } from './command.ts';

export const dispute: Command = {
  usage: [
    { form: 'dispute', does: 'lists the disputes that are not decided' },
    {
      form: 'dispute evidence DISPUTE [FILE]',
      does: 'writes what proves a disputed sale, to answer with at the provider: order, terms, invoice, delivery',
    },
  ],
  async run({ db }, args) {
    const [action, ref, file = `${ref}.txt`] = args;
    noMore(args, 3);
    if (action === undefined) return open(db);
    if (action !== 'evidence') throw new UsageError('dispute evidence?');
    if (!ref) throw new UsageError('DISPUTE is missing: npm run shop -- dispute lists them');
    const evidence = await evidenceOf(db, ref);
    if (!evidence) throw new Error(`There is no dispute ${ref} of a payment of ours.`);
    // It names a customer: for its owner alone.
    await writeFile(file, textOf(evidence), { mode: 0o600 });
    return `${file} is written. It names the customer: send it to the provider and delete it.`;
  },
};

async function open(db: Db): Promise<string> {
  const disputes = await openDisputes(db);
  if (disputes.length === 0) return 'Nobody disputes anything.';
  return disputes
    .map(
      ({ ref, status, reason, currency, amount, answerBy }) =>
        `${ref}  ${status}  ${reason}  ${money(currency, amount)}  answer by ${answerBy ? moment(answerBy) : 'no date'}`,
    )
    .join('\n');
}

const money = (currency: string, hundredths: number): string =>
  `${currency} ${(hundredths / 100).toFixed(2)}`;
const moment = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function textOf({ dispute: about, payment, invoice, order, delivery }: Evidence): string {
  const lines = [
    `Evidence for dispute ${about.ref} (${about.reason}), ${money(about.currency, about.amount)}`,
    '',
    'Order',
    ...(order
      ? [
          `  made ${moment(order.orderedAt)} by ${order.email ?? 'a buyer whose account has ended'}, in language ${order.language ?? 'unknown'}`,
          `  terms of service accepted with it: version ${order.termsVersion ?? 'unknown'}`,
        ]
      : ['  a renewal of a subscription']),
    '',
    'Payment and invoice',
    `  paid ${moment(payment.paidAt)} by ${payment.method}, payment ${payment.ref ?? 'unknown'}`,
    `  invoice ${invoice.number ?? 'without a number'}, ${money(invoice.currency, invoice.total)}`,
    ...invoice.lines.map(line => `  ${JSON.stringify(line)}`),
    '',
    'Delivery',
    ...(delivery?.startedAt
      ? [
          `  the service was set up and has been available since ${moment(delivery.startedAt)}`,
          ...delivery.periods.map(({ from, until }) => `  paid period ${moment(from)} to ${moment(until)}`),
        ]
      : ['  the service was not set up: consider to accept the dispute']),
    '',
    'The service keeps no record of what its customers do with it, so there is none to submit.',
    '',
  ];
  return lines.join('\n');
}
