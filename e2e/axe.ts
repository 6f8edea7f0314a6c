import type { Page } from '@playwright/test';
import axe from 'axe-core';

/** WCAG 2.2 A and AA, and what every page owes its readers (landmarks, one headline). */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const options = {
  runOnly: { type: 'tag', values: tags },
  resultTypes: ['violations'],
  // The card provider's frames are not ours to judge.
  iframes: false,
};

/**
 * Serious and critical faults of what the page shows now. Runs in the page itself, where the library stays from one
 * screen to the next: several times faster than a fresh page for each verdict, with the same rules.
 */
export async function seriousFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate(`'axe' in globalThis`))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(node => node.target.join(' ')).join(', ')}`);
}
