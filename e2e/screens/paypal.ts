import { expect, type Page } from '@playwright/test';
import { control } from '../control.ts';

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
      const { captures } = await control<Ledger>('paypal/ledger');
      return captures.filter(({ order }) => orders.has(order));
    },
  };
}

/** The buyer agrees somewhere else: in PayPal's app, in another window. */
export const agreeElsewhere = (order: string): Promise<unknown> => control('paypal/approve', { order });
