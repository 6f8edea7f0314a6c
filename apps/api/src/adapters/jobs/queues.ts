import type { BoundTask, JobData, JobName } from '../../ports/jobs.ts';

type Queue<N extends JobName> = {
  /** Of jobs with the same key only one waits or runs at a time. */
  key?: (data: JobData[N]) => string;
  /** Up to N run at a time in one node; 1. */
  parallel?: number;
  /**
   * Up to N are taken and completed by one statement each; 1. A slow one delays the completion of the others. A worker that
   * got fewer than N knows that no more wait, which saves the statement that would find none.
   */
  together?: number;
  retryLimit?: number;
  /** A job that takes longer hangs, and runs again. */
  expireInSeconds?: number;
};

/** All queues, with what differs from the defaults below. */
export const queues: { [N in JobName]: Queue<N> } = {
  runAllTasks: { key: () => 'all', retryLimit: 0 },
  providerEvent: { key: ({ provider, eventId }) => `${provider}:${eventId}`, parallel: 8, together: 2 },
  askAttempt: { key: ({ attemptId }) => attemptId, parallel: 4 },
  followRefund: { key: ({ refundId }) => refundId, parallel: 2 },
  followDispute: { key: ({ provider, ref }) => `${provider}:${ref}` },
  // A list of a hundred thousand payments is read by hundreds: a shorter time would start it over and over.
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
  sendInvitation: { key: ({ invitationId }) => invitationId },
  sendPlaceNotice: { key: ({ noticeId }) => noticeId },
  deliverAlert: { key: ({ deliveryId }) => deliveryId, parallel: 4 },
  sendEmail: { parallel: 4, together: 2 },
  sendCollected: { key: ({ batch, userId = '' }) => `${batch}${userId}`, parallel: 2 },
};

export const jobNames = Object.keys(queues) as JobName[];

/** The dead-letter queue: jobs that failed too often. */
export const DEAD = 'dead';

export const DEFAULTS = {
  // About a day of tries, from one second to ten minutes apart; then the job has an alert.
  retryLimit: 150,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 600,
  // The job of a worker that dies runs again within seconds.
  heartbeatSeconds: 10,
  // Longer than any timeout of a gateway.
  expireInSeconds: 120,
  notify: true,
};

/** A scheduled task is not retried: it runs again when its interval is over. */
export const TASK = { ...DEFAULTS, retryLimit: 0, expireInSeconds: 50, policy: 'exclusive' } as const;
export const taskQueue = (name: string): string => `task-${name}`;

/** The minute of the hour at which an hourly task runs: its own, so that not all run at once. */
const minuteOf = (name: string): number =>
  [...name].reduce((sum, character) => sum + character.charCodeAt(0), 0) % 60;

/** When a scheduled task runs, as a cron expression in Bangkok's time. */
export const cronOf = ({ name, interval }: Pick<BoundTask, 'name' | 'interval'>): string =>
  ({ minute: '* * * * *', hour: `${minuteOf(name)} * * * *`, day: '0 3 * * *' })[interval];
