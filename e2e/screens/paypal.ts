import { expect, type Page } from '@playwright/test';
import { testStack } from '../env.ts';

type Ledger = { captures: { order: string; status: string; amount: string; currency: string }[] };

/** PayPal's own page, where a buyer agrees or not. */
export function paypalScreen(page: Page) {
  const agree = page.getByTestId('paypal-approve');
  return {
    agree,
    cancel: page.getByTestId('paypal-cancel'),
    refusedCard: page.getByRole('radio', { name: 'A card that will be refused' }),
    async isShown() {
      await expect(page).toHaveURL(/\/checkoutnow\?token=/);
      await expect(agree).toBeVisible();
    },
  };
}

/** What PayPal's control interface answers. */
async function control(path: string, body?: object): Promise<unknown> {
  const { sandboxUrl, controlToken } = testStack();
  const answer = await fetch(`${sandboxUrl}/_sbx/paypal/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${controlToken}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return answer.json();
}

/** Follows the orders that pages bring to PayPal, and tells what PayPal has taken for them. */
export function countCaptures(...pages: Page[]) {
  const orders = new Set<string>();
  for (const page of pages) {
    page.on('request', request => {
      const order = /\/checkoutnow\?token=(\w+)/.exec(request.url())?.[1];
      if (order) orders.add(order);
    });
  }
  return {
    orders,
    taken: async () => {
      const { captures } = (await control('ledger')) as Ledger;
      return captures.filter(({ order }) => orders.has(order));
    },
  };
}

/** The buyer agrees somewhere else: in PayPal's app, in another window. */
export const agreeElsewhere = (order: string): Promise<unknown> => control('approve', { order });
