import type { BrowserContext, Page } from '@playwright/test';

/** Opens the same page in another window of the same browser, as “duplicate tab” does. */
export async function duplicate(context: BrowserContext, page: Page): Promise<Page> {
  const [second] = await Promise.all([
    context.waitForEvent('page'),
    page.evaluate('void window.open(location.href)'),
  ]);
  return second;
}
