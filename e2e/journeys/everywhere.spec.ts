import { type Language, languageCodes, languages } from '@fixpoint/contract/languages.ts';
import { type Browser, test as base, expect, type Page } from '@playwright/test';
import { seriousFaults } from '../axe.ts';
import { testStack } from '../env.ts';
import { overflow } from '../overflow.ts';
import { type Guide, openWindow, prepareGuide, stops, visit } from '../tour.ts';

/** One customer for all languages that a worker looks at. */
const test = base.extend<object, { guide: Guide }>({
  guide: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures a fixture needs from the pattern
    async ({}, use) => {
      await use(await prepareGuide(testStack()));
    },
    { scope: 'worker' },
  ],
});

const wide = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };
/** A window of 1280 px at 400 % (WCAG 1.4.10); as narrow as the narrowest phone. */
const narrow = { width: 320, height: 256 };

/** WCAG 1.4.12: whoever reads better so may set these. */
const spacing = `
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
  p { margin-bottom: 2em !important; }`;

/** Every screen, as visitor and as customer; what `look` finds, with the name of the screen. */
async function onEveryScreen(
  browser: Browser,
  guide: Guide,
  language: Language,
  look: (page: Page) => Promise<string[]>,
): Promise<string[]> {
  const found: string[] = [];
  for (const asCustomer of [false, true]) {
    const context = await browser.newContext({ viewport: wide, reducedMotion: 'reduce' });
    const page = await openWindow(context, guide, asCustomer);
    for (const stop of stops(guide).filter(each => each.asCustomer === asCustomer)) {
      await test.step(stop.name, async () => {
        await visit(page, guide, language, stop);
        found.push(...(await look(page)).map(fault => `${stop.name}: ${fault}`));
      });
    }
    await context.close();
  }
  return found;
}

test.describe.configure({ timeout: 120_000 });

for (const language of languageCodes) {
  const { name } = languages[language];

  test(`${name}: nothing serious on any screen, by day and by night`, async ({ browser, guide }) => {
    const faults = await onEveryScreen(browser, guide, language, async page => {
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize(wide);
      const byDay = await seriousFaults(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.setViewportSize(phone);
      const byNight = await seriousFaults(page);
      return [...byDay.map(fault => `light: ${fault}`), ...byNight.map(fault => `dark: ${fault}`)];
    });
    expect(faults).toEqual([]);
  });

  test(`${name}: every screen fits 320 px and 400 %, also with wider spacing`, async ({ browser, guide }) => {
    const faults = await onEveryScreen(browser, guide, language, async page => {
      await page.setViewportSize(narrow);
      const usual = await overflow(page);
      await page.evaluate(`
        globalThis.wider ??= new CSSStyleSheet();
        wider.replaceSync(${JSON.stringify(spacing)});
        document.adoptedStyleSheets = [wider];
      `);
      const spaced = await overflow(page);
      await page.evaluate('document.adoptedStyleSheets = []');
      return [...usual, ...spaced.map(fault => `spaced: ${fault}`)];
    });
    expect(faults).toEqual([]);
  });
}
