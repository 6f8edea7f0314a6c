import { orderCalls } from '@fixpoint/contract/calls/order.ts';
import { paymentCalls } from '@fixpoint/contract/calls/payment.ts';
import { subscriptionCalls } from '@fixpoint/contract/calls/subscription.ts';
import type { DataOf } from '@fixpoint/contract/endpoint.ts';
import type { Page } from '@playwright/test';

const { getBandwidth, getSubscription, mySubscription, withdrawal } = subscriptionCalls;
const calls = {
  getBandwidth,
  getSubscription,
  mySubscription,
  withdrawal,
  getCard: paymentCalls.getCard,
  getData: orderCalls.getData,
  purchaseData: orderCalls.purchaseData,
};
type Calls = typeof calls;
/** Data in the answer of a call. */
export type Data<C extends keyof Calls> = DataOf<Calls[C]>;

/** Changes to the answers that a page gets, by call. `asked`: the request's query. */
export type Answers = { [C in keyof Calls]?: (data: Data<C>, asked: Record<string, unknown>) => Data<C> };

/**
 * Shows a page in a state that takes days to come about, by changing the shop's answers on their way. Tests of the server
 * check that the shop gives such answers.
 */
export async function showAs(page: Page, answers: Answers): Promise<void> {
  for (const [name, change] of Object.entries(answers) as [keyof Calls, (...all: unknown[]) => unknown][]) {
    const path = calls[name].path.replace(/:\w+/, '[^/]+');
    await page.route(new RegExp(`${path}(\\?|$)`), async route => {
      const answer = await route
        .fetch()
        .then(response => response.json() as Promise<{ data: unknown }>)
        // The page polls: a request in progress must not outlive the test. Without an answer it shows none.
        .catch(() => undefined);
      if (!answer) return route.abort().catch(() => undefined);
      const asked: unknown = route.request().postDataJSON();
      const json = { code: '0000', data: change(answer.data, asked) };
      await route.fulfill({ json }).catch(() => undefined);
    });
  }
}

type Detail = Data<'getSubscription'>;
type Item = Data<'mySubscription'>['items'][number];

const DAY_MS = 24 * 60 * 60_000;
export const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

/** Makes a subscription past due, with the given details. */
export const pastDue =
  (says: Partial<NonNullable<Item['openInvoice']>>, by: Partial<Detail> = {}) =>
  <S extends Item>({ billedAt: _, ...of }: S) => ({
    ...of,
    status: 'pastDue' as const,
    openInvoice: {
      id: 'inv_none',
      currency: 'THB',
      amount: 329_00,
      reference: '7K3M-9QXD-2H',
      period: { start: inDays(-1), end: inDays(29) },
      until: inDays(6),
      ...says,
    },
    ...by,
  });

/** Makes a subscription one whose host has confirmed neither its last device nor the end of a deleted one. */
export const behind = (of: Detail): Detail => ({
  ...of,
  hostReachable: false,
  keys: of.keys.map((key, n) => ({ ...key, settingUp: n === of.keys.length - 1 })),
  ending: [{ id: 'key_none', name: 'tablet', label: 'Old tablet' }],
});

/** Makes a subscription ended, with its address reserved. */
export const ended = <S extends Item>({ billedAt: _, ...of }: S) => ({
  ...of,
  status: 'expired' as const,
  periodEnd: inDays(-2),
  endedAt: inDays(-2),
  addressHeldUntil: inDays(28),
  allowedActions: ['reactivate' as const],
});

/** Two gigabytes per day, one of them uploaded, on each of the last days. */
export const usedFor = (days: number) => {
  const used = { downBytes: 1_000_000_000, upBytes: 1_000_000_000 };
  const day = (ago: number) => ({ ...used, day: inDays(-ago).slice(0, 10) });
  return {
    months: [{ ...used, month: inDays(0).slice(0, 7) }],
    days: Array.from({ length: days }, (_, index) => day(index + 1)),
  };
};
