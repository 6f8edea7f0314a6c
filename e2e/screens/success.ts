import { expect, type Page } from '@playwright/test';
import { ending, type Say } from '../texts.ts';

/** Page object of `/success`: from the payment to the customer's own address. */
export function successScreen(page: Page, t: Say) {
  return {
    heading: page.getByRole('heading', { level: 1, name: t('success.title') }),
    address: page.getByText(/^\d+\.\d+\.\d+\.\d+$/),
    /** Amount paid above the price. */
    surplus: page.getByText(ending(t('success.surplus'))),
    async isShown() {
      await expect(page).toHaveURL(/\/success\?order=/);
      await expect(this.heading).toBeVisible();
    },
  };
}
