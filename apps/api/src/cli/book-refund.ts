import { unclaimedPayment } from '../modules/checkout/index.ts';
import {
  bookDashboardRefund,
  bookOutOfBandRefund,
  type DashboardRefund,
  type DueEnd,
  failedRefund,
  planDashboardRefund,
  planOutOfBandRefund,
} from '../modules/payment/index.ts';
import { moneyText } from './amount.ts';
import { askedBooks } from './asked-books.ts';
import { type Context, withJobs } from './command.ts';

/** Plans or books an out-of-band refund, or a write-off, by the subject of its alert. */
export async function outOfBandRefund(
  context: Context,
  subject: string,
  end: DueEnd,
  code?: string,
): Promise<string> {
  const { db } = context;
  const find = subject.startsWith('inv_') ? unclaimedPayment : failedRefund;
  const plan = await planOutOfBandRefund(db, find, subject, end);
  const money = moneyText(plan.amount, plan.currency);
  const { reason, writtenOff } = end;
  if (!code) {
    return [
      `${money} of ${subject} are due to its payer.`,
      writtenOff
        ? `Would write ${money} off, as nobody can be paid: ${reason}`
        : `Would book that you refunded ${money} from your own bank: ${reason}`,
      'The money that the provider holds stays there.',
      `Nothing was changed. ${writtenOff ? 'To do it' : 'Pay it first, then'} run the same command with: --confirm ${plan.code}`,
    ].join('\n');
  }
  await withJobs(context, deps => bookOutOfBandRefund(deps, find, subject, end, code));
  return writtenOff
    ? `${money} of ${subject} are written off.`
    : `Booked an out-of-band refund: ${money} of ${subject}.`;
}

/** Plans or books a refund that staff made in the gateway's dashboard. */
export async function dashboardRefund(
  context: Context,
  number: string,
  what: DashboardRefund,
  code?: string,
): Promise<string> {
  return withJobs(context, async deps => {
    const providers = await askedBooks(context.source, deps.clock);
    const plan = await planDashboardRefund({ ...deps, providers }, number, what);
    const money = moneyText(what.amount, plan.currency);
    if (code) {
      await bookDashboardRefund({ ...deps, providers }, number, what, code);
      return `Booked ${what.ref}: ${money} of ${number}.`;
    }
    return [
      `${what.ref} at ${plan.provider} refunds ${money} of ${number}.`,
      plan.pays
        ? `Would book it in place of ${plan.pays}, which failed.`
        : `Would book it with a credit note that says: ${what.reason}`,
      `Nothing was changed. To do it, run the same command with: --confirm ${plan.code}`,
    ].join('\n');
  });
}
