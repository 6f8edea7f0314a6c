import type { Balance, Difference, Payout, RevenueDay } from '../modules/books/index.ts';

/** Rows shown per difference; its query finds all. */
const SHOWN = 10;

/** Formats integer hundredths with a minus sign that no dash is taken for. */
const amount = (hundredths: number): string =>
  `${hundredths < 0 ? '−' : ''}${(Math.abs(hundredths) / 100).toFixed(2)}`;

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

const REASONS: Record<Balance['underWay'][number]['reason'], (count: number) => string> = {
  fee: count => `fee of ${counted(count, 'payment')}`,
  unlisted: count => `${counted(count, 'payment')} not on the balance yet`,
  payment: count => `${counted(count, 'payment')} of the last minutes`,
  refund: count => counted(count, 'refund'),
  later: count => `${counted(count, 'movement')} after the report`,
  foreign: count => `${counted(count, 'movement')} declared foreign`,
};

/** Movements that belong to no sale, in the order of the output. */
const KINDS = {
  payout: 'payouts',
  payoutReturned: 'returned payouts',
  topUp: 'top-ups',
  bill: 'bills',
  adjustment: 'adjustments',
  reserve: 'reserve',
  exchange: 'exchange',
} satisfies Partial<Record<Balance['moved'][number]['kind'], string>>;

/** Balance of a gateway on both sides, with what is under way, fees, and its movements that belong to no sale by kind. */
export const balanceText = (gateway: string, balance: Balance): string =>
  [
    `Compared ${gateway} ${balance.currency}: it moved ${amount(balance.theirs)}, booked ${amount(balance.ours)}`,
    ...balance.underWay.map(each => `under way ${amount(each.amount)} (${REASONS[each.reason](each.count)})`),
    ...(balance.holds === undefined ? [] : [`it holds ${amount(balance.holds)}`]),
    `fees ${amount(balance.fees)}`,
    ...(balance.exchange === 0 ? [] : [`exchange account ${amount(balance.exchange)}`]),
    ...Object.entries(KINDS).flatMap(([kind, name]) =>
      balance.moved
        .filter(each => each.kind === kind)
        .map(each => `${name} ${amount(each.amount)} (${each.count})`),
    ),
  ].join('; ');

/** Says why the balance that a gateway states was not compared. */
export const unheldText = (gateway: string, why: 'forbidden' | 'moving'): string =>
  why === 'moving'
    ? `${gateway}: its balance changed while it was read, and was not compared. Run the command again.`
    : `${gateway}: our key may not read its balance, which was not compared. Give it the right (docs/operate/payments.md).`;

export function differenceText({ name, sentence, rows, query }: Difference): string {
  const shown = rows.slice(0, SHOWN).map(row => JSON.stringify(row));
  if (rows.length > SHOWN) shown.push(`and ${rows.length - SHOWN} more`);
  return [`${name}: violated: ${sentence}`, ...shown, `${query};`].join('\n  ');
}

/** One payout a line, with the command that ticks it off. */
export function payoutsText(payouts: readonly Payout[]): string {
  if (payouts.length === 0) return 'No payout waits to be ticked off.';
  const lines = payouts.map(({ provider, ref, at, currency, destination, ...payout }) => {
    const state = payout.isReturned ? 'returned' : payout.arrivedAt ? 'arrived' : 'not ticked off';
    const to = destination ?? 'a bank account that the gateway does not name';
    const isNew = payout.isKnown || payout.isReturned ? '' : ' (not confirmed)';
    const money = `${currency} ${amount(payout.amount)}`;
    return `${at.toISOString().slice(0, 10)}  ${provider}  ${ref}  ${money}  to ${to}${isNew}  ${state}`;
  });
  return [
    ...lines,
    'Tick off each one that is on the statement of your bank:',
    '  npm run shop -- books payouts --arrived PAYOUT',
  ].join('\n');
}

/** Lines of a CSV file (RFC 4180), amounts with a plain minus sign. */
export const revenueText = (days: readonly RevenueDay[]): string =>
  [
    'day,currency,booked,earned,unearned',
    ...days.map(({ day, currency, booked, earned, unearned }) =>
      [day, currency, ...[booked, earned, unearned].map(sum => (sum / 100).toFixed(2))].join(','),
    ),
  ].join('\n');
