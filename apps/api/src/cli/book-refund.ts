import { openShopClock } from '../adapters/shop-clock.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { unclaimedPayment } from '../modules/checkout/index.ts';
import {
  bookDashboardRefund,
  bookOutOfBandRefund,
  type DashboardRefund,
  failedRefund,
  planDashboardRefund,
  planOutOfBandRefund,
} from '../modules/payment/index.ts';
import { moneyText } from './amount.ts';
import { askedBooks } from './asked-books.ts';
import { type Context, withJobs } from './command.ts';

/** What staff has paid back itself, as `alerts` names it. */
export async function outOfBandRefund(
  { db }: Context,
  subject: string,
  reason: string,
  code?: string,
): Promise<string> {
  const find = subject.startsWith('inv_') ? unclaimedPayment : failedRefund;
  const plan = await planOutOfBandRefund(db, find, subject, reason);
  const money = moneyText(plan.amount, plan.currency);
  if (!code) {
    return [
      `Of ${subject} ${money} are due to its payer.`,
      `Would book that ${money} were paid back from your own bank: ${reason}`,
      'What the provider holds of it stays there.',
      `Nothing was done. Once it is paid back, the same again with: --confirm ${plan.code}`,
    ].join('\n');
  }
  const clock = await openShopClock(db, systemClock);
  await bookOutOfBandRefund({ db, clock }, find, subject, reason, code);
  return `${money} of ${subject} are booked as paid back by hand.`;
}

/** What staff has given back at the provider. */
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
      return `${what.ref} is booked: ${money} of ${number}.`;
    }
    return [
      `${what.ref} at ${plan.provider} gives back ${money} of ${number}.`,
      plan.pays
        ? `Would book it in the place of ${plan.pays}, which failed.`
        : `Would book it with a credit note that says: ${what.reason}`,
      `Nothing was done. To do it, the same again with: --confirm ${plan.code}`,
    ].join('\n');
  });
}
