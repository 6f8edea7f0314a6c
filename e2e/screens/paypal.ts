import { expect, type Page } from '@playwright/test';
import { control } from '../control.ts';

type Capture = { capture: string; order: string; status: string; amount: string; currency: string };
type Ledger = { captures: Capture[] };

/** PayPal's own page, where a buyer agrees or not. */
export function paypalScreen(page: Page) {
  const agree = page.getByTestId('paypal-approve');
  return {
    agree,
    cancel: page.getByTestId('paypal-cancel'),
    bank: page.getByRole('radio', { name: 'Bank account' }),
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

/** The bank, which takes days, does not let the money go. */
export const declineAtBank = (capture: string): Promise<unknown> =>
  control('paypal/captures/settle', { capture, outcome: 'declined' });
