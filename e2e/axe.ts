import type { Page } from '@playwright/test';
import axe from 'axe-core';

/** WCAG 2.2 A and AA, and what every page owes its readers (landmarks, one headline). */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** What depends on the theme: `light-dark()` changes colours and nothing else. */
const colours = ['color-contrast', 'link-in-text-block'];

/** Serious and critical faults of what the page shows now, at the width of its window. Leaves the page in the dark. */
export async function faultsByDayAndNight(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  const byDay = await judge(page, { runOnly: tags });
  await page.emulateMedia({ colorScheme: 'dark' });
  const byNight = await judge(page, { runOnly: colours });
  return [...byDay.map(fault => `light: ${fault}`), ...byNight.map(fault => `dark: ${fault}`)];
}

/** What a missing, an empty or another text can break; all else is the same in every language. */
const words = [
  ...['aria-command-name', 'aria-dialog-name', 'aria-input-field-name', 'aria-progressbar-name'],
  ...[
    'aria-toggle-field-name',
    'aria-tooltip-name',
    'area-alt',
    'button-name',
    'document-title',
    'empty-heading',
  ],
  ...[
    'empty-table-header',
    'frame-title',
    'frame-title-unique',
    'html-has-lang',
    'html-lang-valid',
    'image-alt',
  ],
  ...['image-redundant-alt', 'input-button-name', 'label', 'label-content-name-mismatch', 'link-name'],
  ...['page-has-heading-one', 'scrollable-region-focusable', 'select-name', 'summary-name', 'svg-img-alt'],
  ...['target-size', 'valid-lang'],
];

/** Serious and critical faults that the words of a page can make. */
export const faultsOfWords = (page: Page): Promise<string[]> => judge(page, { runOnly: words });

/**
 * Runs in the page itself, where the library stays from one screen to the next: several times faster than a fresh page
 * for each verdict, with the same rules.
 */
async function judge(page: Page, which: Pick<axe.RunOptions, 'runOnly'>): Promise<string[]> {
  if (!(await page.evaluate(`'axe' in globalThis`))) await page.evaluate(axe.source);
  const options = {
    ...which,
    resultTypes: ['violations'],
    // The card provider's frames are not ours to judge.
    iframes: false,
  };
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(node => node.target.join(' ')).join(', ')}`);
}
