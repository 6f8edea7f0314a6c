import { z } from 'zod';
import { currency, forwardedPort, id, instant, minor } from '../schema.ts';

/**
 * Events in the history of a subscription that matter to its customer. `miss`: a payment of the
 * next period was declined; `due`: its customer was asked to pay and has not paid.
 */
export const historyEvents = [
  'activate',
  'renew',
  'miss',
  'due',
  'cancel',
  'resume',
  'suspend',
  'restore',
  'giveDays',
  'expire',
  'withdraw',
  'replace',
  'retire',
  'end',
  'reactivate',
  'upgrade',
  'announce',
  'takeBack',
  'planDowngrade',
  'undoDowngrade',
  'downgrade',
  'openPort',
  'closePort',
] as const;

/** One event of a subscription's history. */
export const happened = z.object({
  at: instant,
  event: z.enum(historyEvents),
  /** Plan before and after. */
  plans: z.object({ from: id, to: id }).optional(),
  /** Gross amount paid for the period that it began, or new price of renewals. */
  amount: z.object({ currency, amount: minor }).optional(),
  vatRateBp: z.int().optional(),
  /**
   * End of the paid period, last day of a cancelled one, or start of a new plan, price or VAT rate.
   */
  day: instant.optional(),
  port: forwardedPort.optional(),
});
