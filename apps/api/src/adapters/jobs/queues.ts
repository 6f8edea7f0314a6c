import type { JobData, JobName } from '../../ports/jobs.ts';

type Queue<N extends JobName> = {
  /** What a job is about: of those about the same thing only one waits or runs at a time. */
  key?: (data: JobData[N]) => string;
  /** So many at a time in one node; 1. */
  parallel?: number;
  /**
   * Up to N of them are taken and completed by one statement each; 1. A slow one delays the completion of the others. A
   * worker that got fewer than N knows that no more wait, and saves the statement that would find none.
   */
  together?: number;
  retryLimit?: number;
  /** Longer than this it hangs, and another takes its place. */
  expireInSeconds?: number;
};

/** All queues, with what differs from the defaults below. */
export const queues: { [N in JobName]: Queue<N> } = {
  runAllTasks: { key: () => 'all', retryLimit: 0 },
  providerEvent: { key: ({ provider, eventId }) => `${provider}:${eventId}`, parallel: 8, together: 2 },
  askAttempt: { key: ({ attemptId }) => attemptId, parallel: 4 },
  followRefund: { key: ({ refundId }) => refundId, parallel: 2 },
  followDispute: { key: ({ provider, ref }) => `${provider}:${ref}` },
  // A list of a hundred thousand payments comes by hundreds: one that is begun again meanwhile would never come to its end.
  reconcile: { key: ({ provider }) => provider, expireInSeconds: 6 * 60 * 60 },
  saveMethod: { key: ({ attemptId }) => attemptId, parallel: 2, together: 2 },
  forgetUnsaved: { key: ({ attemptId }) => attemptId },
  forgetMethod: { key: ({ methodId }) => methodId },
  fulfilOrder: { key: ({ orderId }) => orderId, parallel: 8, together: 2 },
  expireOrder: { key: ({ orderId }) => orderId, parallel: 2 },
  creditUnapplied: { key: ({ invoiceId }) => invoiceId },
  activateSubscription: { key: ({ subscriptionId }) => subscriptionId },
  renewSubscription: { key: ({ subscriptionId }) => subscriptionId, parallel: 4, together: 4 },
  chargeRenewal: { key: ({ invoiceId, tries }) => `${invoiceId}-${tries}`, parallel: 8, together: 4 },
  placeSubscription: { key: ({ subscriptionId }) => subscriptionId, parallel: 2 },
  generateDocuments: { key: ({ invoiceId }) => invoiceId, parallel: 2, together: 2 },
  renewServerCertificate: { key: ({ assignmentId }) => assignmentId },
  followMove: { key: ({ poolId }) => poolId },
  // A code is worthless after ten minutes.
  sendCode: { parallel: 4, retryLimit: 12 },
  sendEmail: { parallel: 4, together: 2 },
};

export const jobNames = Object.keys(queues) as JobName[];

/** Where jobs go that failed too often. */
export const DEAD = 'dead';

export const DEFAULTS = {
  // About a day of tries, from one second to ten minutes apart; then the job is somebody's matter.
  retryLimit: 150,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 600,
  // A worker that dies in the middle is noticed within seconds, and its job runs again.
  heartbeatSeconds: 10,
  // Longer than any provider is waited for.
  expireInSeconds: 120,
  notify: true,
};

/** A scheduled task comes again every minute: one that fails or hangs is not tried in between. */
export const TASK = { ...DEFAULTS, retryLimit: 0, expireInSeconds: 50, policy: 'exclusive' } as const;
export const taskQueue = (name: string): string => `task-${name}`;
