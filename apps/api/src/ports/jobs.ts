import type { Db } from './database.ts';
import type { Provider } from './payment-gateway.ts';

/**
 * Work that must happen after a commit: emails, provider calls, the next step of a purchase.
 * A job is written in the caller's transaction, runs at least once, and again after a crash: handlers are idempotent.
 * Data carries ids only — never an address, a token or a name, since jobs are kept for a while (S82).
 */
export type JobData = {
  /** Look after everything that is looked after every minute, now: the clock was moved. */
  runAllTasks: Record<string, never>;
  /** A provider told us that something happened: look it up and follow. */
  providerEvent: { provider: string; eventId: string };
  /** Ask the provider how an attempt stands; close it there when its invoice takes no money any more. */
  askAttempt: { attemptId: string };
  /** Bring a refund on its way, or ask how it stands. */
  followRefund: { refundId: string };
  /** Ask how a dispute stands. */
  followDispute: { provider: Provider; ref: string };
  /** Compare what a provider has begun lately with ours. */
  reconcile: { provider: Provider };
  /** Remember the method of a payment for renewals. */
  saveMethod: { attemptId: string; customerId: string };
  /** Have a provider forget what a payment was made with, unless an account keeps it. */
  forgetUnsaved: { attemptId: string };
  /** Have a provider forget what an ended account had saved. */
  forgetMethod: { methodId: string };
  /** Turn a paid order into an account and a subscription. */
  fulfilOrder: { orderId: string };
  /** Close an order that ran out. */
  expireOrder: { orderId: string };
  /** What came beyond an invoice becomes its payer's credit. */
  creditUnapplied: { invoiceId: string };
  /** Begin the period of a subscription that its host runs. */
  activateSubscription: { subscriptionId: string };
  /** Do what is due for the renewal of a subscription: remind, invoice, charge, end. */
  renewSubscription: { subscriptionId: string };
  /** Charge a renewal by its customer's saved method, as the `tries`-th time. */
  chargeRenewal: { invoiceId: string; tries: string };
  /** Print what is missing of an invoice's documents, and send it. */
  generateDocuments: { invoiceId: string };
  /** Find a host for a subscription that waits for one. */
  placeSubscription: { subscriptionId: string };
  renewServerCertificate: { assignmentId: string };
  /** Go on with a range of addresses that moves to another host. */
  followMove: { poolId: string };
  /** Make the code of a challenge and mail it. */
  sendCode: { challengeId: string };
  /**
   * `subjectId`: what the email is about; the same job sent twice is one email to a mail program, unless it is another
   * `copy`: sent again by wish, or the next of its kind about the same. To a customer, or to whoever ordered as a guest.
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
/** What the email `loginChanged` is about. */
export type LoginChange = 'passkeyAdded' | 'passkeyRemoved' | 'totpOn' | 'totpOff' | 'recoveryCodes';
export type JobName = keyof JobData;

export type Jobs = {
  /**
   * Writes a job in the transaction `tx`. Of jobs about one thing (`jobKeys`) only one waits or runs at a time.
   * @param delaySeconds earliest start, counted from now
   */
  enqueue<N extends JobName>(
    tx: Db,
    name: N,
    data: JobData[N],
    options?: { delaySeconds?: number },
  ): Promise<void>;
  /** The same for many, in one statement; by the shop itself only. */
  enqueueAll<N extends JobName>(tx: Db, name: N, all: readonly JobData[N][]): Promise<void>;
};

export type JobHandlers = { [N in JobName]: (data: JobData[N]) => Promise<void> };

/**
 * Something that is looked after every minute: it finds rows that are due and does a little for each, or writes a job for
 * each. One that fails keeps no other from its work and is tried again a minute later.
 * `at`: instead of every minute at these times (cron, Bangkok).
 */
export type ScheduledTask = { name: string; at?: string; run(): Promise<void> };
