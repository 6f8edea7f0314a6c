import type { Page } from '@playwright/test';

/** Makes storage throw, as with all cookies blocked. */
export const forbidStorage = (page: Page) =>
  page.addInitScript(`
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('denied', 'SecurityError');
        },
      });
  `);

/** Delays a request until the returned function is called. */
export async function delayRequest(page: Page, address: string | RegExp): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(address, async route => {
    await held.promise;
    await route.continue();
  });
  return held.resolve;
}

/** Delays an answer, after the server has processed the request, until the returned function is called. */
export async function delayAnswer(page: Page, address: string | RegExp): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(address, async route => {
    const response = await route.fetch();
    await held.promise;
    await route.fulfill({ response });
  });
  return held.resolve;
}

/** Counts the loads of the page from now on. */
export function countLoads(page: Page): () => number {
  let loads = 0;
  page.on('request', request => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) loads += 1;
  });
  return () => loads;
}

/** Drops one answer after the server has processed the request. */
export const dropAnswer = (page: Page, address: string | RegExp): Promise<unknown> =>
  page.route(
    address,
    async route => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );

/** Waits until the page is idle: what has not happened by then does not happen. */
export const untilIdle = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise(done => setTimeout(() => requestIdleCallback(() => done())))');
