import { enqueueDue } from '../../../jobs/enqueue-due.ts';
import type { TaskDeps } from '../../../ports/jobs.ts';
import { after, anHourAfter, PAYMENTS_INTERVAL_MS, type ReconcileDeps, WEEK_MS } from '../reconcile.ts';

export const reconcileGatewaysTask = enqueueDue({
  name: 'reconcileProviders',
  interval: 'minute',
  description:
    'Compares the records of each gateway with ours once an hour, and looks every ten minutes for payments that are in no book.',
  queue: 'reconcile',
  async find({ db, clock, providers }: TaskDeps & Pick<ReconcileDeps, 'providers'>) {
    if (providers.length === 0) return [];
    const now = clock.now();
    const names = providers.map(({ provider }) => provider);
    await db
      .insertInto('reconciliation')
      .values(
        names.map(provider => ({
          provider,
          payments_due_at: after(now, PAYMENTS_INTERVAL_MS),
          due_at: anHourAfter(now),
          balance_due_at: after(now, WEEK_MS),
        })),
      )
      .onConflict(conflict => conflict.doNothing())
      .execute();
    return db
      .selectFrom('reconciliation')
      .select('provider')
      .where(({ or, eb }) =>
        or([eb('due_at', '<=', now), eb('payments_due_at', '<=', now), eb('payments_due_at', 'is', null)]),
      )
      .where('provider', 'in', names)
      .execute();
  },
});
