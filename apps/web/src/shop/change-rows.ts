import type { SummaryRow } from '@fixpoint/ui/summary-list.tsx';
import type { Offer } from './catalog.ts';
import type { Translate } from './texts.ts';

/** A change of plan that begins at once. */
export type ChangeNow = NonNullable<NonNullable<Offer['change']>['now']>;

/** What another plan costs for the days that are left, and as much of what was paid for them as that costs. */
export const changeRows = (
  t: Translate,
  { days, price, unused }: ChangeNow,
  money: (minor: number) => string,
): SummaryRow[] => [
  { term: t('order.change.days', { days }), value: money(price) },
  { term: t('order.change.unused'), value: money(-Math.min(price, unused)), tone: 'credit' },
];

/** What was paid beyond that. */
export const restRows = (
  t: Translate,
  { rest }: Pick<ChangeNow, 'rest'>,
  money: (minor: number) => string,
): SummaryRow[] => (rest > 0 ? [{ term: t('order.change.rest'), value: money(rest), tone: 'credit' }] : []);
