import { expect, type Page } from '@playwright/test';
import { control } from '../control.ts';

type Capture = { capture: string; order: string; status: string; amount: string; currency: string };
type Ledger = { captures: Capture[] };

/** Page object of PayPal's own page, where a buyer approves or cancels. */
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

/** Tracks the orders that pages bring to PayPal, and counts what PayPal has captured for them. */
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

/** The buyer approves elsewhere: in PayPal's app or another window. */
export const approveElsewhere = (order: string): Promise<unknown> => control('paypal/approve', { order });

/** The bank declines a pending capture, which takes days. */
export const declineAtBank = (capture: string): Promise<unknown> =>
  control('paypal/captures/settle', { capture, outcome: 'declined' });
