import { eachRow } from '../../../jobs/each-row.ts';
import type { ScheduledTask, TaskDeps } from '../../../ports/jobs.ts';
import type { PaymentDeps } from '../deps.ts';
import { notifyCardExpiry } from '../saved-method/index.ts';

const BATCH = 500;

export const notifyCardExpiryTask: ScheduledTask<TaskDeps & Pick<PaymentDeps, 'gateways'>> = {
  name: 'tellCardExpiry',
  interval: 'minute',
  description: 'Emails customers whose default card expires before its next charge.',
  queue: 'sendEmail',
  async run(deps) {
    const due = await deps.db
      .selectFrom('saved_method')
      .select('id')
      .where('notify_at', '<=', deps.clock.now())
      .orderBy('notify_at')
      .limit(BATCH)
      .execute();
    await eachRow(
      due,
      ({ id }) => id,
      ({ id }) => notifyCardExpiry(deps, id),
    );
  },
};
