import { CURRENCIES, type Currency, type Months, type Plan, SLEEP } from './audit/prices.ts';

export type Method = 'card' | 'paypal' | 'promptpay' | 'bitcoin';
/** What happens to a customer, beside paying what they are asked for. */
export type Action =
  | { does: 'upgrade' | 'downgrade'; plan: Plan }
  | { does: 'cancel' | 'resume' | 'reactivate' | 'cardFails' | 'cardWorks' | 'revoke' }
  | { does: 'dispute'; outcome: 'won' | 'lost' }
  | { does: 'decide'; outcome: 'won' | 'lost' }
  | { does: 'refund'; share: number; asCredit?: true }
  | { does: 'replace'; months: Months }
  | { does: 'withdraw'; country: 'DE' | 'FR' }
  | { does: 'goodwill' }
  | { does: 'leave'; action: 'disable' | 'delete' };

export type Story = {
  n: number;
  email: string;
  method: Method;
  currency: Currency;
  months: Months;
  plan: Plan;
  /** Day of the first purchase. */
  joins: number;
  /** Days from the request of a payment to the payment; nobody pays after `paysUntil`. */
  paysAfter: number;
  paysUntil: number;
  /** Share of the amount that they send, by the number of their renewal. */
  sends: Record<number, number>;
  /** By days since the purchase. */
  actions: Record<number, Action>;
};

const FOREVER = 10_000;
const at = <T>(list: readonly T[], index: number): T => list[index % list.length]!;

/** By card: mostly months, charged without their customers. */
const cardActions = (k: number): Record<number, Action> => {
  if (k >= 32) return {};
  const actions: Record<number, Action>[] = [
    { 45: { does: 'upgrade', plan: 'plus' }, 150: { does: 'downgrade', plan: 'solo' } },
    { 80: { does: 'cardFails' }, [k < 16 ? 115 : 190]: { does: 'reactivate' }, 260: { does: 'cardWorks' } },
    { 10: { does: 'dispute', outcome: 'lost' }, 40: { does: 'decide', outcome: 'lost' } },
    { 20: { does: 'dispute', outcome: 'won' }, 45: { does: 'decide', outcome: 'won' } },
    { 70: { does: 'cancel' }, 72: { does: 'resume' }, 200: { does: 'cancel' }, 260: { does: 'reactivate' } },
    {
      15: { does: 'refund', share: 0.4, asCredit: true },
      250: { does: 'leave', action: k % 16 === 5 ? 'delete' : 'disable' },
    },
    { 40: { does: 'replace', months: k % 16 === 6 ? 12 : 1 } },
    { 5: { does: 'withdraw', country: k % 16 === 7 ? 'DE' : 'FR' }, 60: { does: 'reactivate' } },
  ];
  return at(actions, k);
};
const paypalActions = (k: number): Record<number, Action> =>
  at<Record<number, Action>>(
    [
      { 12: { does: 'dispute', outcome: 'lost' }, 50: { does: 'decide', outcome: 'lost' } },
      { 30: { does: 'upgrade', plan: 'team' } },
      { 100: { does: 'revoke' } },
      {
        25: { does: 'goodwill' },
        60: { does: 'refund', share: 0.5, asCredit: true },
        62: { does: 'leave', action: 'delete' },
      },
      {},
    ],
    k,
  );
const promptpayActions = (k: number): Record<number, Action> =>
  at<Record<number, Action>>(
    [
      { 30: { does: 'refund', share: 1 } },
      { 20: { does: 'upgrade', plan: 'team' } },
      {},
      {},
      { 33: { does: 'refund', share: 0.3 } },
    ],
    k,
  );
const bitcoinActions = (k: number): Record<number, Action> =>
  at<Record<number, Action>>(
    [
      {},
      { 300: { does: 'leave', action: 'delete' } },
      {},
      { 30: { does: 'refund', share: 0.5 } },
      { 50: { does: 'goodwill' } },
    ],
    k,
  );

/** Nobody acts while no worker runs. */
const awake = (joins: number, actions: Record<number, Action>): Record<number, Action> =>
  Object.fromEntries(
    Object.entries(actions).map(([days, action]) => {
      const day = joins + Number(days);
      const late = day >= SLEEP.from - 1 && day <= SLEEP.until + 2 ? SLEEP.until + 3 - day : 0;
      return [Number(days) + late, action];
    }),
  );

/** The hundred customers: forty by card, twenty each by PayPal, PromptPay and bitcoin. */
export const STORIES: readonly Story[] = Array.from({ length: 100 }, (_, n) => {
  const k = Math.floor(n / 10);
  const of = n % 10;
  const joins = Math.floor(n * 1.4);
  const story = {
    n,
    email: `customer-${n}@example.com`,
    joins,
    paysAfter: 0,
    paysUntil: FOREVER,
    sends: {},
    plan: 'solo' as Plan,
  };
  if (of < 4) {
    const i = k * 4 + of;
    const months = at<Months>([1, 1, 1, 12, 1, 3, 3, 6], i);
    return {
      ...story,
      method: 'card',
      months,
      currency: at(CURRENCIES, i),
      actions: awake(joins, cardActions(i)),
    };
  }
  const i = k * 2 + (of % 2);
  const actions = { 2: paypalActions, 3: promptpayActions, 4: bitcoinActions }[of >> 1]!(i);
  const common = { ...story, actions: awake(joins, actions), currency: at(CURRENCIES, i + k) };
  switch (of >> 1) {
    case 2:
      return {
        ...common,
        method: 'paypal',
        months: at<Months>([3, 6], k),
        plan: at<Plan>(['solo', 'plus'], i),
      };
    case 3:
      return {
        ...common,
        method: 'promptpay',
        currency: 'THB',
        months: at<Months>([1, 3, 6], i),
        plan: at<Plan>(['plus', 'solo'], i),
        paysAfter: at([0, 3, 8], k),
        paysUntil: i % 7 === 6 ? joins + 200 : FOREVER,
      };
    default:
      return {
        ...common,
        method: 'bitcoin',
        months: at<Months>([3, 6, 12], i),
        paysAfter: at([0, 2, 9], k),
        paysUntil: i % 9 === 8 ? joins + 200 : FOREVER,
        sends: at<Record<number, number>>([{}, { 1: 1.5 }, { 1: 0.5 }], i),
      };
  }
});
