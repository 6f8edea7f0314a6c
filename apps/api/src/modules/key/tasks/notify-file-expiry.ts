import { eachRow } from '../../../jobs/each-row.ts';
import type { ScheduledTask } from '../../../ports/jobs.ts';
import { notifyFileExpiry } from '../notify-file-expiry.ts';

const BATCH = 500;

export const notifyFileExpiryTask: ScheduledTask = {
  name: 'tellFilesEnd',
  interval: 'minute',
  description: 'Emails customers whose configuration files expire soon.',
  queue: 'sendEmail',
  async run(deps) {
    const due = await deps.db
      .selectFrom('vpn_key')
      .select(['subscription_id as subscriptionId', 'customer_id as customerId'])
      .where('notify_at', '<=', deps.systemClock.now())
      .orderBy('notify_at')
      .limit(BATCH)
      .execute();
    const subscriptions = new Map(due.map(of => [of.subscriptionId, of]));
    await eachRow(
      subscriptions.values(),
      of => of.subscriptionId,
      of => notifyFileExpiry(deps, of),
    );
  },
};
