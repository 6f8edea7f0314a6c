import type { BrowserContext, Page } from '@playwright/test';

/** Another window of the same browser with the same page, as “duplicate tab” makes it. */
export async function duplicate(context: BrowserContext, page: Page): Promise<Page> {
  const [second] = await Promise.all([
    context.waitForEvent('page'),
    page.evaluate('void window.open(location.href)'),
  ]);
  return second;
}
