import { eachRow } from '../../../jobs/each-row.ts';
import type { ScheduledTask } from '../../../ports/jobs.ts';
import { notifyAddressRelease } from '../address-reservation.ts';

const BATCH = 500;

export const notifyAddressReleaseTask: ScheduledTask = {
  name: 'tellHolders',
  interval: 'minute',
  description: 'Emails customers whose reserved address is released soon.',
  queue: 'sendEmail',
  async run(deps) {
    const { db, clock } = deps;
    const due = await db
      .selectFrom('static_ip')
      .select(['address', 'subscription_id'])
      .where('notify_at', '<=', clock.now())
      .orderBy('notify_at')
      .limit(BATCH)
      .execute();
    await eachRow(
      due,
      row => row.subscription_id!,
      ({ address }) => db.transaction().execute(tx => notifyAddressRelease(deps, tx, address)),
    );
  },
};
