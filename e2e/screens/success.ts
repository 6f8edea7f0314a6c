import { expect, type Page } from '@playwright/test';
import { ending, type Say } from '../texts.ts';

/** Page object of `/success`: from the payment to the customer's own address. */
export function successScreen(page: Page, t: Say) {
  return {
    heading: page.getByRole('heading', { level: 1, name: t('success.title') }),
    address: page.getByText(/^\d+\.\d+\.\d+\.\d+$/),
    /** What is left to the customer, numbered. */
    steps: page.getByRole('main').getByRole('list').getByRole('heading', { level: 3 }),
    /** Number of lines that an address takes; the longest has 15 signs. */
    async linesOf(address = '203.150.113.241'): Promise<number> {
      const shown = (await this.address.textContent())!;
      return page.evaluate<number>(`(() => {
        const shown = [...document.querySelectorAll('main *')].find(
          ({ firstChild, textContent }) => firstChild?.nodeType === 3 && textContent === '${shown}');
        shown.textContent = '${address}';
        const range = document.createRange();
        range.selectNodeContents(shown);
        const lines = new Set([...range.getClientRects()].map(({ top }) => top));
        shown.textContent = '${shown}';
        return lines.size;
      })()`);
    },
    /** Amount paid above the price. */
    surplus: page.getByText(ending(t('success.surplus'))),
    async isShown() {
      await expect(page).toHaveURL(/\/success\?order=/);
      await expect(this.heading).toBeVisible();
    },
  };
}
