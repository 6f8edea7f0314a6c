import type { Db } from '../../ports/database.ts';
import type { JobData, JobName, Jobs } from '../../ports/jobs.ts';
import type { Facts } from '../../ports/json-columns.ts';
import { resolveAlert } from './alerts.ts';
import type { AlertKind } from './kinds.ts';

/** Subject of a dead job. It includes the queue, because the same row may still have a job in another one. */
export const deadJob = (queue: string, id: string): string => `${queue}:${id}`;

type Job = { [N in JobName]: { name: N; data: JobData[N] } }[JobName];
/** The job that retries an alert, by kind. Other kinds need staff or resolve themselves. */
const retryJobs: { [K in AlertKind]?: (subject: string, what: Facts) => Job } = {
  'job.dead': (subject, what) => ({ name: subject.split(':')[0], data: what }) as Job,
  'document.failed': (_, what) => ({ name: 'generateDocuments', data: { invoiceId: String(what.invoice) } }),
  'attempt.unknown': subject => ({ name: 'askAttempt', data: { attemptId: subject } }),
  'refund.unfinished': subject => ({ name: 'followRefund', data: { refundId: subject } }),
};

/**
 * Enqueues the retry job of every open alert of a subject. Resolves the alert of a dead job; the job itself resolves the
 * others.
 * @returns queues of the jobs
 */
export const retrySubject = (db: Db, now: Date, jobs: Jobs, subject: string): Promise<JobName[]> =>
  db.transaction().execute(async tx => {
    const rows = await tx
      .selectFrom('alert')
      .select(['kind', 'what'])
      .where('subject', '=', subject)
      .where('resolved_at', 'is', null)
      .forUpdate()
      .execute();
    const queues: JobName[] = [];
    for (const { kind, what } of rows) {
      const job = retryJobs[kind as AlertKind]?.(subject, what);
      if (!job) continue;
      await jobs.enqueue(tx, job.name, job.data);
      queues.push(job.name);
    }
    await resolveAlert(tx, now, 'job.dead', subject);
    return queues;
  });
