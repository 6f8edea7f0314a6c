import type { Page } from '@playwright/test';
import axe from 'axe-core';

/** WCAG 2.2 A and AA, and axe's best practices for every page (landmarks, one headline). */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Rules that depend on the theme: `light-dark()` changes nothing but colours. */
const themeRules = ['color-contrast', 'link-in-text-block'];

/** Serious and critical violations on the page at its window's width, in both themes. Leaves the page in the dark theme. */
export async function violationsInBothThemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  const byDay = await runAxe(page, { runOnly: tags });
  await page.emulateMedia({ colorScheme: 'dark' });
  const byNight = await runAxe(page, { runOnly: themeRules });
  return [...byDay.map(fault => `light: ${fault}`), ...byNight.map(fault => `dark: ${fault}`)];
}

/** Rules that a missing, empty or different text can break; the others hold in every language. */
const textRules = [
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

/** Serious and critical violations that a page's texts can cause. */
export const textViolations = (page: Page): Promise<string[]> => runAxe(page, { runOnly: textRules });

/**
 * Runs axe in the page itself, where the library stays from one screen to the next. This is several times faster than a
 * fresh page for each run, with the same rules.
 */
async function runAxe(page: Page, which: Pick<axe.RunOptions, 'runOnly'>): Promise<string[]> {
  if (!(await page.evaluate(`'axe' in globalThis`))) await page.evaluate(axe.source);
  const options = {
    ...which,
    resultTypes: ['violations'],
    // The card provider's frames are not ours.
    iframes: false,
  };
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(node => node.target.join(' ')).join(', ')}`);
}
