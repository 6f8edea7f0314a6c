import type { AnswersOf } from '../../compose/staff/handler.ts';
import type { TextsOf } from './text.ts';

type Checked = AnswersOf<'books'>['check'];
type Difference = Checked['differences'][number];
type Balance = Checked['compared'][number]['balances'][number];
type Payout = AnswersOf<'books'>['payouts']['payouts'][number];
type RevenueDay = AnswersOf<'books'>['revenue']['days'][number];

/** Rows shown per difference; its query finds all. */
const SHOWN = 10;

/** Formats integer hundredths with a minus sign that no dash is taken for. */
const amount = (hundredths: number): string =>
  `${hundredths < 0 ? '−' : ''}${(Math.abs(hundredths) / 100).toFixed(2)}`;

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

const REASONS: Record<string, (count: number) => string> = {
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
};

/** Balance of a gateway on both sides, with what is under way, fees, and its movements that belong to no sale by kind. */
const balanceText = (gateway: string, balance: Balance): string =>
  [
    `Compared ${gateway} ${balance.currency}: it moved ${amount(balance.theirs)}, booked ${amount(balance.ours)}`,
    ...balance.underWay.map(
      each => `under way ${amount(each.amount)} (${REASONS[each.reason]!(each.count)})`,
    ),
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
const unheldText = (gateway: string, why: 'forbidden' | 'moving'): string =>
  why === 'moving'
    ? `${gateway}: its balance changed while it was read, and was not compared. Run the command again.`
    : `${gateway}: our key may not read its balance, which was not compared. Give it the right (docs/operate/payments.md).`;

function differenceText({ name, sentence, rows, query }: Difference): string {
  const shown = rows.slice(0, SHOWN).map(row => JSON.stringify(row));
  if (rows.length > SHOWN) shown.push(`and ${rows.length - SHOWN} more`);
  return [`${name}: violated: ${sentence}`, ...shown, `${query};`].join('\n  ');
}

/** One payout a line, with the command that ticks it off. */
function payoutsText(payouts: readonly Payout[]): string {
  if (payouts.length === 0) return 'No payout waits to be ticked off.';
  const lines = payouts.map(({ provider, ref, at, currency, destination, ...payout }) => {
    const state = payout.isReturned ? 'returned' : payout.arrivedAt ? 'arrived' : 'not ticked off';
    const to = destination ?? 'a bank account that the gateway does not name';
    const isNew = payout.isKnown || payout.isReturned ? '' : ' (not confirmed)';
    const money = `${currency} ${amount(payout.amount)}`;
    return `${at.slice(0, 10)}  ${provider}  ${ref}  ${money}  to ${to}${isNew}  ${state}`;
  });
  return [
    ...lines,
    'Tick off each one that is on the statement of your bank:',
    '  npm run shop -- books arrived PAYOUT',
  ].join('\n');
}

/** Lines of a CSV file (RFC 4180), amounts with a plain minus sign. */
const revenueText = (days: readonly RevenueDay[]): string =>
  [
    'day,currency,booked,earned,unearned',
    ...days.map(({ day, currency, booked, earned, unearned }) =>
      [day, currency, ...[booked, earned, unearned].map(sum => (sum / 100).toFixed(2))].join(','),
    ),
  ].join('\n');

/** What was compared with a gateway. */
const comparedText = ({ provider, balances, from, unheld }: Checked['compared'][number]): string[] => [
  ...balances.map(balance => balanceText(provider, balance)),
  ...(from
    ? [`${provider}: its records begin on ${from}. Records since then were compared, our balance was not.`]
    : []),
  ...(unheld ? [unheldText(provider, unheld)] : []),
];

export const texts: TextsOf<'books'> = {
  check({ differences, notCompared, compared }) {
    const bad = differences.length > 0 || notCompared.length > 0;
    const verdict = differences.length > 0 ? 'The books do not balance.' : bad ? '' : 'The books balance.';
    const says = [
      ...differences.map(differenceText),
      ...notCompared,
      compared.flatMap(comparedText).join('\n'),
      verdict,
    ].filter(Boolean);
    return { says: says.join('\n\n'), bad };
  },
  payouts: ({ payouts }) => ({
    says: payoutsText(payouts),
    bad: payouts.some(({ arrivedAt, isReturned }) => arrivedAt === null && !isReturned),
  }),
  arrived: ({ payout }) => `Ticked off ${payout}. Its bank account is known from now on.`,
  revenue: ({ days }) => revenueText(days),
};
