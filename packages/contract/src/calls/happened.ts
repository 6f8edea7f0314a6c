import { z } from 'zod';
import { currency, forwardedPort, id, instant, minor } from '../schema.ts';

/**
 * What the history of a subscription tells: the moves that say something to its customer. `miss`: a payment of the next
 * period was refused; `due`: its customer was asked for it, and has not paid.
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

/** What happened to a subscription, with what belongs to it. */
export const happened = z.object({
  at: instant,
  event: z.enum(historyEvents),
  /** The plan before and after. */
  plans: z.object({ from: id, to: id }).optional(),
  /** What was paid for the period that it began, or what renewals will cost; gross. */
  amount: z.object({ currency, amount: minor }).optional(),
  vatRateBp: z.int().optional(),
  /** Until when is paid; the last day of what was turned off; from when another plan, price or VAT holds. */
  day: instant.optional(),
  port: forwardedPort.optional(),
});
