import type { Clock } from './clock.ts';
import type { Db } from './database.ts';
import type { LiveBus } from './live.ts';
import type { Provider } from './payment-gateway.ts';

/**
 * Jobs: work after a commit, such as emails, provider calls and the next step of a purchase. A job
 * is written in the caller's transaction and runs at least once, so handlers are idempotent. Data
 * contains ids only (no address, token or name), because jobs are stored for a while (S82).
 */
export type JobData = {
  /** Run all scheduled tasks now, because the clock was advanced. */
  runAllTasks: Record<string, never>;
  /** Look up the object of a webhook event and follow it. */
  providerEvent: { provider: string; eventId: string };
  /** Poll the provider for an attempt; close it there when its invoice takes no money any more. */
  askAttempt: { attemptId: string };
  /** Start a refund, or poll for it. */
  followRefund: { refundId: string };
  /** Poll for a dispute. */
  followDispute: { provider: Provider; ref: string };
  /** Compare a provider's recent objects with ours. */
  reconcile: { provider: Provider };
  /** Save the method of a payment for renewals. */
  saveMethod: { attemptId: string; customerId: string };
  /** Delete a payment's method at the provider, unless an account keeps it. */
  forgetUnsaved: { attemptId: string };
  /** Delete a saved method of an ended account at the provider. */
  forgetMethod: { methodId: string };
  /** Turn a paid order into an account and a subscription. */
  fulfilOrder: { orderId: string };
  /** Expire an unpaid order. */
  expireOrder: { orderId: string };
  /** Turn an unapplied payment into its payer's credit. */
  creditUnapplied: { invoiceId: string };
  /** Begin the period of a subscription whose tunnel is up. */
  activateSubscription: { subscriptionId: string };
  /** Take the next steps of a renewal: remind, invoice, charge, end. */
  renewSubscription: { subscriptionId: string };
  /** Charge a renewal by its customer's saved method, for the `tries`-th time. */
  chargeRenewal: { invoiceId: string; tries: string };
  /** Generate the missing documents of an invoice, and email them. */
  generateDocuments: { invoiceId: string };
  /** Find a host for a waiting subscription. */
  placeSubscription: { subscriptionId: string };
  renewServerCertificate: { assignmentId: string };
  /** Continue the move of an address range to another host. */
  followMove: { poolId: string };
  /** Generate the code of a challenge and email it. */
  sendCode: { challengeId: string };
  /**
   * `subjectId`: what the email is about. Repeats of a job share a message id, unless `copy`
   * differs: an email sent again on request, or the next of its kind about the same subject. The
   * recipient is a customer, or the guest of an order.
   */
  sendEmail: { template: EmailTemplate; subjectId: string; copy?: string; change?: LoginChange } & (
    | { customerId: string; orderId?: never }
    | { orderId: string; customerId?: never }
  );
};
export type EmailTemplate =
  | 'welcome'
  | 'emailTaken'
  | 'receipt'
  | 'refunded'
  | 'refundAsks'
  | 'refundFailed'
  | 'creditNote'
  | 'credit'
  | 'ready'
  | 'usageNear'
  | 'usageReached'
  | 'renewalAhead'
  | 'renewed'
  | 'upgraded'
  | 'downgradePlanned'
  | 'downgradeUndone'
  | 'priceChange'
  | 'vatChange'
  | 'priceKept'
  | 'renewalFailed'
  | 'renewalDue'
  | 'cardExpiring'
  | 'cancelled'
  | 'resumed'
  | 'endsSoon'
  | 'withdrawn'
  | 'expired'
  | 'addressHeld'
  | 'reactivated'
  | 'keyAdded'
  | 'fileExpiring'
  | 'passwordSet'
  | 'loginChanged'
  | 'newSession'
  | 'sessionStolen'
  | 'accountDisabled'
  | 'accountDeleted';
/** Subject of the email `loginChanged`. */
export type LoginChange = 'passkeyAdded' | 'passkeyRemoved' | 'totpOn' | 'totpOff' | 'recoveryCodes';
export type JobName = keyof JobData;

export type Jobs = {
  /**
   * Writes a job in the transaction `tx`. Among jobs with the same key (`jobKeys`) only one waits
   * or runs at a time.
   * @param delaySeconds earliest start, counted from now
   */
  enqueue<N extends JobName>(
    tx: Db,
    name: N,
    data: JobData[N],
    options?: { delaySeconds?: number },
  ): Promise<void>;
  /** The same for many jobs in one statement. Not available to customers' calls. */
  enqueueAll<N extends JobName>(tx: Db, name: N, all: readonly JobData[N][]): Promise<void>;
};

export type JobHandlers = { [N in JobName]: (data: JobData[N]) => Promise<void> };

/** `hour`: at a minute of its own, so that not all run at once. `day`: at 03:00 in Bangkok, when few customers are there. */
export type TaskInterval = 'minute' | 'hour' | 'day';

/** What every scheduled task may ask for. `wall` is the system clock, `clock` the shop clock. */
export type TaskDeps = { db: Db; clock: Clock; wall: Clock; jobs: Jobs; live: LiveBus };

/**
 * A scheduled task. It finds rows that are due and processes them, or enqueues a job for each. A
 * failure does not stop other tasks and is retried a minute later. `at`: cron expression in Bangkok
 * time; absent: every minute.
 */
export type ScheduledTask<Deps = TaskDeps> = {
  /** Names its queue (`task-NAME`) and its alert, so it never changes. */
  name: string;
  interval: TaskInterval;
  /** One sentence for operators (docs/operate/reference.md). */
  description: string;
  /** The queue of the jobs that it writes. Their retries are declared there; the task itself is not retried. */
  queue?: JobName;
  run: (deps: Deps) => Promise<void>;
};

/** A scheduled task with its dependencies. */
export type BoundTask = Pick<ScheduledTask, 'name' | 'interval'> & { run(): Promise<void> };
