import type { Db } from '../../ports/database.ts';
import type { JobData, JobName, Jobs } from '../../ports/jobs.ts';
import type { Facts } from '../../ports/json-columns.ts';
import type { AlertKind } from './kinds.ts';

/** A dead job's subject names its queue: one may be given up while another of its row still runs. */
export const deadJob = (queue: string, id: string): string => `${queue}:${id}`;

type Job = { [N in JobName]: { name: N; data: JobData[N] } }[JobName];
/** By which job a matter is taken up again. Others have none: they want a hand at the provider, or go by themselves. */
const again: { [K in AlertKind]?: (subject: string, what: Facts) => Job } = {
  'job.dead': (subject, what) => ({ name: subject.split(':')[0], data: what }) as Job,
  'attempt.unknown': subject => ({ name: 'askAttempt', data: { attemptId: subject } }),
  'refund.unfinished': subject => ({ name: 'followRefund', data: { refundId: subject } }),
};

/**
 * Takes the matters of a subject up again, each by its job. A dead job is off the list with that; the others go when their
 * job has settled them.
 * @returns the queues of the jobs
 */
export const retrySubject = (db: Db, jobs: Jobs, subject: string): Promise<JobName[]> =>
  db.transaction().execute(async tx => {
    const rows = await tx
      .selectFrom('alert')
      .select(['kind', 'what'])
      .where('subject', '=', subject)
      .forUpdate()
      .execute();
    const queues: JobName[] = [];
    for (const { kind, what } of rows) {
      const job = again[kind as AlertKind]?.(subject, what);
      if (!job) continue;
      await jobs.enqueue(tx, job.name, job.data);
      queues.push(job.name);
    }
    await tx.deleteFrom('alert').where('kind', '=', 'job.dead').where('subject', '=', subject).execute();
    return queues;
  });
