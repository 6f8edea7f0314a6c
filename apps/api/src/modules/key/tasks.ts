import { eachRow } from '../../jobs/each-row.ts';
import type { ScheduledTask } from '../../ports/jobs.ts';
import { type TellDeps, tellFilesEnd } from './tell-file-end.ts';

const BATCH = 500;

/** What keys look after every minute: files of devices that end soon. */
export function keyTasks(deps: TellDeps): ScheduledTask[] {
  const { db, wall } = deps;
  return [
    {
      name: 'tellFilesEnd',
      async run() {
        const due = await db
          .selectFrom('vpn_key')
          .select(['subscription_id as subscriptionId', 'customer_id as customerId'])
          .where('notify_at', '<=', wall.now())
          .orderBy('notify_at')
          .limit(BATCH)
          .execute();
        const subscriptions = new Map(due.map(of => [of.subscriptionId, of]));
        await eachRow(
          subscriptions.values(),
          of => of.subscriptionId,
          of => tellFilesEnd(deps, of),
        );
      },
    },
  ];
}
