import type { SummaryRow } from '@fixpoint/ui/summary-list.tsx';
import type { Offer } from './catalog.ts';
import type { Translate } from './texts.ts';

/** A change of plan that takes effect at once. */
export type ChangeNow = NonNullable<NonNullable<Offer['change']>['now']>;

/**
 * Price of the new plan for the remaining days, and the credit for the old plan up to that price.
 */
export const changeRows = (
  t: Translate,
  { days, price, unused }: ChangeNow,
  money: (minor: number) => string,
): SummaryRow[] => [
  { term: t('order.change.days', { days }), value: money(price) },
  { term: t('order.change.unused'), value: money(-Math.min(price, unused)), tone: 'credit' },
];

/** Credit beyond that price. */
export const restRows = (
  t: Translate,
  { rest }: Pick<ChangeNow, 'rest'>,
  money: (minor: number) => string,
): SummaryRow[] => (rest > 0 ? [{ term: t('order.change.rest'), value: money(rest), tone: 'credit' }] : []);
