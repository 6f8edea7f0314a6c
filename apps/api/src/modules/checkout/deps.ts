import type { Returns } from '@fixpoint/domain/subscription/withdrawal.ts';
import type { Logger } from 'pino';
import type { Publish } from '../../kernel/domain-event.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Db } from '../../ports/database.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { Seller } from '../../ports/json-columns.ts';
import type { Limits } from '../../ports/limits.ts';
import type { LiveBus } from '../../ports/live.ts';
import type { Signer } from '../../ports/signer.ts';
import type { createAccount } from '../account/index.ts';
import type { InvoiceEvent } from '../billing/index.ts';
import type { Payment } from '../payment/index.ts';
import type { PlanEvent } from '../subscription/index.ts';

export type CheckoutDeps = {
  db: Db;
  clock: Clock;
  systemClock: Clock;
  jobs: Jobs;
  limits: Limits;
  live: LiveBus;
  signer: Signer;
  payment: Payment;
  log: Logger;
  account: ReturnType<typeof createAccount>;
  saleCountry: string;
  /** Whether an email address may not buy any more. */
  isBlocked(db: Db, email: string): Promise<boolean>;
  /** The seller as invoices name it. */
  seller: Seller;
  /** Version of the terms that a buyer must have ticked. */
  termsVersion: string;
  /** What a country's law refunds on withdrawal. A country that is missing here grants no such right. */
  withdrawal: Readonly<Record<string, Returns>>;
  publish: Publish<InvoiceEvent | PlanEvent>;
};
