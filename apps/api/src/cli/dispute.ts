import { writeFile } from 'node:fs/promises';
import { liveBus } from '../adapters/postgres-bus.ts';
import { minute } from '../kernel/minute.ts';
import { type DisputeEvidence, disputeEvidence, openDisputes } from '../modules/payment/index.ts';
import { suspend } from '../modules/subscription/index.ts';
import type { Db } from '../ports/database.ts';
import { moneyText } from './amount.ts';
import { type Command, type Context, noMore, UsageError, withJobs } from './command.ts';

export const dispute: Command = {
  usage: [
    { form: 'dispute', does: 'Lists the open disputes.' },
    {
      form: 'dispute evidence DISPUTE [FILE]',
      does: 'Writes the evidence of a disputed sale, to submit at the payment gateway: order, terms, invoice, delivery.',
    },
    {
      form: 'dispute restore SUBSCRIPTION',
      does: 'Lets the keys of a subscription connect again that was suspended because a dispute was lost.',
    },
  ],
  async run(context, args) {
    const [action, about, file = `${about}.txt`] = args;
    noMore(args, action === 'evidence' ? 3 : 2);
    if (action === undefined) return open(context.db);
    if (!about)
      throw new UsageError('DISPUTE or SUBSCRIPTION is missing: npm run shop -- dispute lists them');
    if (action === 'evidence') return evidence(context.db, about, file);
    if (action === 'restore') return restore(context, about);
    throw new UsageError(`${action} is not an action: evidence or restore`);
  },
};

async function evidence(db: Db, ref: string, file: string): Promise<string> {
  const known = await disputeEvidence(db, ref);
  if (!known) throw new Error(`There is no dispute ${ref} of a payment of this shop.`);
  // The file names a customer, so only its owner may read it.
  await writeFile(file, textOf(known), { mode: 0o600 });
  return `${file} is written. It names the customer: submit it to the provider, then delete it.`;
}

async function restore(context: Context, id: string): Promise<string> {
  const { db } = context;
  if ((await openDisputes(db)).some(({ subscriptions }) => subscriptions.includes(id))) {
    throw new Error(`A payment of ${id} is still disputed: it would be suspended again.`);
  }
  const found = await withJobs(context, ({ clock, jobs }) =>
    db.transaction().execute(tx => suspend({ clock, jobs, live: liveBus }, tx, id, false, true)),
  );
  if (!found) throw new Error(`There is no subscription ${id}.`);
  return `The keys of ${id} can connect again.`;
}

async function open(db: Db): Promise<string> {
  const disputes = await openDisputes(db);
  if (disputes.length === 0) return 'No dispute is open.';
  return disputes
    .map(
      ({ ref, status, reason, currency, amount, answerBy, subscriptions }) =>
        `${ref}  ${status}  ${reason}  ${moneyText(amount, currency)}  answer by ${answerBy ? minute(answerBy) : 'no date'}  ${subscriptions.join(' ')}`,
    )
    .join('\n');
}

function textOf({ dispute: about, payment, invoice, order, delivery }: DisputeEvidence): string {
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
