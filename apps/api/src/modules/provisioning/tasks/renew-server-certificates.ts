import { enqueueDue } from '../../../jobs/enqueue-due.ts';
import type { TaskDeps } from '../../../ports/jobs.ts';
import { RENEW_BEFORE_MS } from '../renew-server-certificate.ts';

const BATCH = 500;

export const renewServerCertificatesTask = enqueueDue({
  name: 'renewServerCertificates',
  interval: 'hour',
  description: 'Renews certificates of OpenVPN servers 60 days before they expire.',
  queue: 'renewServerCertificate',
  find: ({ db, systemClock }: TaskDeps) =>
    db
      .selectFrom('assignment')
      .select('id as assignmentId')
      .where('status', '!=', 'leaving')
      .where('server_not_after', '<', new Date(systemClock.now().getTime() + RENEW_BEFORE_MS))
      .orderBy('server_not_after')
      .limit(BATCH)
      .execute(),
});
