import { COLLECT_MS, leavesAt, type Pace } from '@fixpoint/domain/email/collecting.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Db } from '../../../ports/database.ts';
import type { JobData, Jobs } from '../../../ports/jobs.ts';
import type { Together } from '../define-email.ts';
import { lockKind, releaseKind } from './store.ts';

/**
 * Has an email leave together with others of its kind to the same customer. A repeated job collects it once.
 * @param together its kind and pace
 */
export async function collectEmail(
  { db, clock, jobs }: { db: Db; clock: Clock; jobs: Jobs },
  job: JobData['sendEmail'] & { customerId: string },
  together: Together,
): Promise<void> {
  const { template, subjectId, copy = '', customerId } = job;
  const { kind } = together;
  await db.transaction().execute(async tx => {
    await lockKind(tx, { customerId, kind });
    const pace = await paceOf(tx, job, together.pace);
    const now = clock.now();
    const lately = await tx
      .selectFrom('collected_email')
      .select(['created_at', 'batch'])
      .where('customer_id', '=', customerId)
      .where('kind', '=', kind)
      .where(eb =>
        eb.or([eb('batch', 'is', null), eb('created_at', '>', new Date(now.getTime() - COLLECT_MS))]),
      )
      .orderBy('created_at')
      .execute();
    const collected = await tx
      .insertInto('collected_email')
      .values({
        customer_id: customerId,
        kind,
        template,
        subject_id: subjectId,
        copy,
        of_day: pace === 'day',
        created_at: now,
        due_at: now,
      })
      .onConflict(conflict => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!collected) return;
    const due_at = leavesAt(pace, now, {
      firstAt: lately.find(({ batch }) => batch === null)?.created_at,
      lastAt: lately.at(-1)?.created_at,
    });
    if (due_at <= now) return releaseKind(jobs, tx, { customerId, kind });
    await tx
      .updateTable('collected_email')
      .set({ due_at })
      .where('customer_id', '=', customerId)
      .where('kind', '=', kind)
      .where('batch', 'is', null)
      .execute();
  });
}

/** The receipt of a renewal that its customer has paid themselves is one that they wait for. */
async function paceOf(tx: Db, { template, subjectId }: JobData['sendEmail'], pace: Pace): Promise<Pace> {
  if (template !== 'renewed') return pace;
  const paidByThem = await tx
    .selectFrom('attempt')
    .select('id')
    .where('invoice_id', '=', subjectId)
    .where('status', '=', 'succeeded')
    .where('unattended', '=', false)
    .limit(1)
    .executeTakeFirst();
  return paidByThem ? 'sitting' : pace;
}
