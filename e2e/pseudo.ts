import { pseudo } from '@fixpoint/testkit/pseudo.ts';
import { loadBundle } from '@fixpoint/texts/bundles.ts';
import type { Page } from '@playwright/test';
import { type Say, say } from './texts.ts';

/** The texts that a page with pseudo texts shows. */
export const sayPseudo: Say = key => pseudo(say('en')(key));

/** All texts of the screens as pseudo texts. */
const pseudoBundle = (): Record<string, string> =>
  Object.fromEntries(Object.entries(loadBundle('en')).map(([key, text]) => [key, pseudo(text)]));

/** Serves pseudo texts instead of those of any language. Call it before the page is opened. */
export async function usePseudoTexts(page: Page): Promise<void> {
  const data = { version: 'pseudo', uiText: pseudoBundle() };
  await page.route('**/v1/uiText/lang**', route => route.fulfill({ json: { code: '0000', data } }));
}
