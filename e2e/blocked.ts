import type { Page } from '@playwright/test';

/** A browser that lets no page keep anything, as with all cookies blocked. */
export const forbidStorage = (page: Page) =>
  page.addInitScript(`
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('denied', 'SecurityError');
        },
      });
  `);

/** Keeps an answer from the page until the function that it gives back is called. */
export async function holdBack(page: Page, address: string | RegExp): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(address, async route => {
    await held.promise;
    await route.continue();
  });
  return held.resolve;
}

/** The same, once the server has done what it was asked. */
export async function holdAnswer(page: Page, address: string | RegExp): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(address, async route => {
    const response = await route.fetch();
    await held.promise;
    await route.fulfill({ response });
  });
  return held.resolve;
}

/** Counts how often the page itself is loaded from now on. */
export function countLoads(page: Page): () => number {
  let loads = 0;
  page.on('request', request => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) loads += 1;
  });
  return () => loads;
}

/** Loses one answer, once the server has done what it was asked. */
export const loseAnswer = (page: Page, address: string | RegExp): Promise<unknown> =>
  page.route(
    address,
    async route => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );

/** Until the page has done all that it was about to do: what has not happened by then does not happen. */
export const settled = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise(done => setTimeout(() => requestIdleCallback(() => done())))');
