import type { Db } from './database.ts';

/**
 * Work that must happen after a commit: mails, provider calls, the next step of a purchase (H3).
 * A job is written in the caller's transaction, runs at least once, and again after a crash: handlers are idempotent.
 * Data carries ids only — never an address, a token or a name, since jobs are kept for a while (S82).
 */
export type JobData = {
  /** A provider told us that something happened: look it up and follow. */
  providerEvent: { provider: 'stripe'; eventId: string };
  /** Ask the provider how an attempt stands (lost answer, missing webhook). */
  checkAttempt: { attemptId: string };
  /** Give back money that came twice. */
  refundExcess: { attemptId: string };
  /** Remember the card of a payment for renewals. */
  saveCard: { attemptId: string; customerId: string };
  /** Turn a paid order into an account and a subscription. */
  fulfilOrder: { orderId: string };
  /** Erase what is personal of a deleted account. */
  eraseCustomer: { customerId: string };
  /** Make the code of a challenge and mail it. */
  sendCode: { challengeId: string };
  /** `subjectId`: what the letter is about; the same job sent twice is one letter to a mail program. */
  sendMail: { mail: MailName; customerId: string; subjectId: string; change?: LoginChange };
  /** Every minute: attempts without news, orders that ran out, subscriptions that wait. */
  sweep: Record<string, never>;
};
export type MailName =
  | 'welcome'
  | 'receipt'
  | 'ready'
  | 'passwordSet'
  | 'loginChanged'
  | 'newSession'
  | 'sessionStolen'
  | 'accountDisabled'
  | 'accountDeleted';
/** What the letter `loginChanged` is about. */
export type LoginChange = 'passkeyAdded' | 'passkeyRemoved' | 'totpOn' | 'totpOff' | 'recoveryCodes';
export type JobName = keyof JobData;

export type Jobs = {
  /**
   * Writes a job in the transaction `tx`.
   * @param delaySeconds earliest start, counted from now
   */
  enqueue<N extends JobName>(
    tx: Db,
    name: N,
    data: JobData[N],
    options?: { delaySeconds?: number },
  ): Promise<void>;
};

export type JobHandlers = { [N in JobName]: (data: JobData[N]) => Promise<void> };
