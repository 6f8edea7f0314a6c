import { liveBus } from '../adapters/postgres-bus.ts';
import { readProviderEnv } from '../env/env.ts';
import { bookLostCoins, NotRefundable, planLostCoins, requirePlanCode } from '../modules/payment/index.ts';
import { suspend } from '../modules/subscription/index.ts';
import { moneyText } from './amount.ts';
import { type Context, UsageError, withJobs } from './command.ts';

/** Plans or books coins that a longer chain took back, by the attempt that its alert names. */
export async function lostCoins(context: Context, attemptId: string, code?: string): Promise<string> {
  const { db, source } = context;
  const plan = await planLostCoins(db, attemptId);
  if (!plan) throw new NotRefundable(`no coins of ${attemptId} are gone that are not booked yet`);
  const money = moneyText(plan.lost, plan.currency);
  if (!code) {
    return [
      `${money} that paid ${plan.invoice} are gone.`,
      'Would book that as a lost dispute: with a credit note and its email for what they paid. Credit that they became is taken back, and the rest is written off.',
      `Nothing was changed. Wait a day for the coins to come back, then run the same command with: --confirm ${plan.code}`,
    ].join('\n');
  }
  requirePlanCode(plan, code);
  const disputedService = readProviderEnv(source)?.DISPUTED_SERVICE;
  if (!disputedService) throw new UsageError('The settings of the payment gateways are missing');
  await withJobs(context, ({ clock, jobs }) =>
    bookLostCoins(
      {
        db,
        clock,
        jobs,
        publish: async (tx, event) => {
          if (event.type !== 'paymentDisputed' || disputedService === 'keep') return;
          await suspend({ clock, jobs, live: liveBus }, tx, event.subscriptionId, true);
        },
      },
      plan,
    ),
  );
  return `${money} of ${plan.invoice} are booked as lost.`;
}
