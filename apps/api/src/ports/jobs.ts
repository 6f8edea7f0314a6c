import type { Clock } from './clock.ts';
import type { Db } from './database.ts';
import type { LiveBus } from './live.ts';
import type { Provider } from './payment-gateway.ts';

/**
 * Work that must happen after a commit: emails, provider calls, the next step of a purchase.
 * A job is written in the caller's transaction, runs at least once, and again after a crash: handlers are idempotent.
 * Data carries ids only — never an address, a token or a name, since jobs are kept for a while (S82).
 */
export type JobData = {
  /** Runs every scheduled task but the daily ones now, because the shop clock was advanced. */
  runAllTasks: Record<string, never>;
  /** Process a webhook event: ask the gateway for the current state and take it over. */
  providerEvent: { provider: string; eventId: string };
  /** Ask the gateway for the state of an attempt; close it there when its invoice takes no money any more. */
  askAttempt: { attemptId: string };
  /** Send a refund, or ask for its state. */
  followRefund: { refundId: string };
  /** Ask for the state of a dispute. */
  followDispute: { provider: Provider; ref: string };
  /** Compare the recent records of a gateway with ours. */
  reconcile: { provider: Provider };
  /** Save the payment method of a payment for renewals. */
  saveMethod: { attemptId: string; customerId: string };
  /** Delete a payment's method at the gateway, unless an account saved it. */
  forgetUnsaved: { attemptId: string };
  /** Delete a saved method of an ended account at the gateway. */
  forgetMethod: { methodId: string };
  /** Turn a paid order into an account and a subscription. */
  fulfilOrder: { orderId: string };
  /** Close an order that has expired. */
  expireOrder: { orderId: string };
  /** Turn the unapplied payment of an invoice into credit of its customer. */
  creditUnapplied: { invoiceId: string };
  /** Begin the period of a subscription whose tunnel is up. */
  activateSubscription: { subscriptionId: string };
  /** Take the next steps of a renewal: remind, invoice, charge, end. */
  renewSubscription: { subscriptionId: string };
  /** Charge a renewal to the saved method for the `tries`-th time. */
  chargeRenewal: { invoiceId: string; tries: string };
  /** Generate the missing documents of an invoice, and email them. */
  generateDocuments: { invoiceId: string };
  /** Find a host for a waiting subscription. */
  placeSubscription: { subscriptionId: string };
  renewServerCertificate: { assignmentId: string };
  /** Continue the move of an address pool to another host. */
  followMove: { poolId: string };
  /** Make the code of a challenge and email it. */
  sendCode: { challengeId: string };
  /** Email an invitation to work for a customer. */
  sendInvitation: { invitationId: string };
  /** Email somebody who waits for a sold-out place: to confirm, or that it can be bought. */
  sendPlaceNotice: { noticeId: string };
  /**
   * Send an email to a customer, or to whoever ordered as a guest. `subjectId`: what it is about. A mail program shows the
   * same job sent twice as one email, unless `copy` differs: sent again on request, or the next one about the same subject.
   * `userId`: who of those that work for the customer gets it; absent: the founder, and whoever else buys for it.
   */
  sendEmail: {
    template: EmailTemplate;
    subjectId: string;
    copy?: string;
    change?: LoginChange;
  } & (
    | { customerId: string; userId?: string; orderId?: never }
    | { orderId: string; customerId?: never; userId?: never }
  );
  /** Send a message about alerts to staff. */
  deliverAlert: { deliveryId: string };
  /** Send the emails to a customer that leave together as one; `userId`: to somebody who works for it, and is not its founder. */
  sendCollected: { customerId: string; batch: string; userId?: string };
};
export type EmailTemplate =
  | 'welcome'
  | 'emailTaken'
  | 'emailChanged'
  | 'emailAnnounced'
  | 'receipt'
  | 'paidInPart'
  | 'refunded'
  | 'refundAsks'
  | 'refundFailed'
  | 'refundedOutOfBand'
  | 'creditNote'
  | 'documentLate'
  | 'invoiceCopy'
  | 'replaced'
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
  | 'keyForYou'
  | 'keyDeleted'
  | 'fileExpiring'
  | 'teamJoined'
  | 'teamRole'
  | 'teamRemoved'
  | 'urlEnded'
  | 'passwordSet'
  | 'loginChanged'
  | 'newSession'
  | 'sessionStolen'
  | 'serviceSuspended'
  | 'serviceRestored'
  | 'freeDays'
  | 'accountClosed'
  | 'accountDisabled'
  | 'accountDeleted';
/** What the email `loginChanged` is about. */
export type LoginChange = 'passkeyAdded' | 'passkeyRemoved' | 'totpOn' | 'totpOff' | 'recoveryCodes';
export type JobName = keyof JobData;

export type Jobs = {
  /** Writes a job in the transaction `tx`. Of jobs about one thing (`queues`) only one waits or runs at a time. */
  enqueue<N extends JobName>(tx: Db, name: N, data: JobData[N]): Promise<void>;
  /** The same for many, in one statement; by the shop itself only. */
  enqueueAll<N extends JobName>(tx: Db, name: N, all: readonly JobData[N][]): Promise<void>;
};

export type JobHandlers = { [N in JobName]: (data: JobData[N]) => Promise<void> };

/** `hour`: at a minute of its own, so that not all run at once. `day`: at 03:00 in Bangkok, when few customers are there. */
export type TaskInterval = 'minute' | 'hour' | 'day';

/** What every scheduled task may ask for. `clock` is the shop clock. */
export type TaskDeps = { db: Db; clock: Clock; systemClock: Clock; jobs: Jobs; live: LiveBus };

/**
 * Work that is done at an interval, on one node at a time: does a little for each row that is due, or writes a job for each.
 * A task that fails or hangs raises the alert `task.failing`, stops no other task, and runs again when its interval is over.
 * `Deps`: what it asks for beside, or instead of, `TaskDeps`.
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
