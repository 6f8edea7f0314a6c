import { latestOf, leavesWith } from '@fixpoint/domain/email/collecting.ts';
import { eachRow } from '../../../jobs/each-row.ts';
import type { Db } from '../../../ports/database.ts';
import type { ScheduledTask, TaskDeps } from '../../../ports/jobs.ts';
import { type CollectedOf, lockKind, releaseKind } from '../collected/index.ts';

const BATCH = 500;

export const sendCollectedTask: ScheduledTask = {
  name: 'sendCollected',
  interval: 'minute',
  description:
    'Sends the emails that were collected into one, unless more of them are expected on the same day.',
  queue: 'sendCollected',
  async run(deps) {
    const due = await deps.db
      .selectFrom('collected_email')
      .select(['customer_id as customerId', 'kind'])
      .distinct()
      .where('batch', 'is', null)
      .where('due_at', '<=', deps.clock.now())
      .limit(BATCH)
      .execute();
    await eachRow(
      due,
      ({ customerId, kind }) => `${customerId} ${kind}`,
      of => sendUnlessMoreIsExpected(deps, of),
    );
  },
};

const sendUnlessMoreIsExpected = ({ db, clock, jobs }: TaskDeps, of: CollectedOf) =>
  db.transaction().execute(async tx => {
    await lockKind(tx, of);
    const now = clock.now();
    const waiting = await tx
      .selectFrom('collected_email')
      .select(['id', 'created_at', 'due_at', 'of_day'])
      .where('customer_id', '=', of.customerId)
      .where('kind', '=', of.kind)
      .where('batch', 'is', null)
      .orderBy('created_at')
      .execute();
    const [first] = waiting;
    if (!first || first.due_at > now) return;
    const isOfDay = waiting.every(({ of_day }) => of_day);
    const due_at = isOfDay
      ? leavesWith(now, first.created_at, await nextStepAt(tx, of.customerId, latestOf(first.created_at)))
      : now;
    if (due_at <= now) return releaseKind(jobs, tx, of);
    const ids = waiting.map(({ id }) => id);
    await tx.updateTable('collected_email').set({ due_at }).where('id', 'in', ids).execute();
  });

/** When the next renewal of a customer takes a step, if it does before `before`. */
async function nextStepAt(tx: Db, customerId: string, before: Date): Promise<Date | undefined> {
  const next = await tx
    .selectFrom('subscription')
    .select('due_at')
    .where('customer_id', '=', customerId)
    .where('due_at', '<', before)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  return next?.due_at ?? undefined;
}
