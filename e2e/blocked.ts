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
