import type { EmailTemplate } from '../../ports/jobs.ts';
import type { EmailRow } from './email-content.ts';

/** Emails of one kind leave together. Those of one template have its name. */
export type CollectedKind = EmailTemplate | 'device';

type Money = { currency: string; amount: number };

/** An email's row in the table of an email with others of its kind, and what its subject sums up. */
export type EmailLine = {
  row: EmailRow;
  money?: Money;
  /** Rests of the customer that the first of them collects. */
  carried?: Money;
  /** Days until what it asks for is over, as {@link EmailLine.left} says. */
  days?: number;
  left?: string;
};
