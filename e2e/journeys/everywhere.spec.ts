import { languageCodes, languages } from '@fixpoint/contract/languages.ts';
import { isFullRun } from '@fixpoint/testkit/test-gate.ts';
import { type Browser, test as base, expect, type Page } from '@playwright/test';
import { textViolations, violationsInBothThemes } from '../axe.ts';
import { testStack } from '../env.ts';
import { overflow } from '../overflow.ts';
import { sayPseudo, usePseudoTexts } from '../pseudo.ts';
import { type Guide, openWindow, prepareGuide, type Stop, stops, visit } from '../tour.ts';

/** One customer for all languages of a worker. */
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
/** The narrowest desktop columns. */
const smallDesk = { width: 1024, height: 768 };
const tablet = { width: 768, height: 1024 };
const phone = { width: 390, height: 844 };
/** A window of 1280 px at 400 % (WCAG 1.4.10); as narrow as the narrowest phone. */
const narrow = { width: 320, height: 256 };
/** A small phone, for texts that are longer than any of ours. */
const slim = { width: 360, height: 740 };

/** WCAG 1.4.12: readers may set these. */
const spacing = `
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
  p { margin-bottom: 2em !important; }`;

/** Checks every screen, as visitor and as customer, in windows that `open` prepares. @returns violations by screen */
async function onEveryScreen(
  browser: Browser,
  guide: Guide,
  open: (page: Page) => Promise<void>,
  look: (page: Page, stop: Stop) => Promise<string[]>,
): Promise<string[]> {
  const found: string[] = [];
  for (const asCustomer of [false, true]) {
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    const page = await openWindow(context, guide, asCustomer);
    await open(page);
    for (const stop of stops(guide).filter(each => each.asCustomer === asCustomer)) {
      await test.step(stop.name, async () => {
        found.push(...(await look(page, stop)).map(fault => `${stop.name}: ${fault}`));
      });
    }
    await context.close();
  }
  return found;
}

async function overflowWithSpacing(page: Page): Promise<string[]> {
  await page.evaluate(`
    globalThis.wider ??= new CSSStyleSheet();
    wider.replaceSync(${JSON.stringify(spacing)});
    document.adoptedStyleSheets = [wider];
  `);
  const found = await overflow(page);
  await page.evaluate('document.adoptedStyleSheets = []');
  return found;
}

const named = (name: string, faults: string[]) => faults.map(fault => `${name}: ${fault}`);

test.describe.configure({ timeout: 240_000 });

/** Every width at which the layout changes. */
const widths = { desk: wide, 'small desk': smallDesk, tablet, phone, '320 px': narrow };

/** Checks the page at each width, at the last one with wider text spacing. */
async function atWidths(
  page: Page,
  names: readonly (keyof typeof widths)[],
  look: (name: string) => Promise<string[]>,
): Promise<string[]> {
  const found: string[] = [];
  for (const name of names) {
    await page.setViewportSize(widths[name]);
    found.push(...named(name, await look(name)));
  }
  return [...found, ...named('spaced', await overflowWithSpacing(page))];
}

/** The widths where most goes wrong, or every width at which the layout changes. */
const looked = isFullRun ? (Object.keys(widths) as (keyof typeof widths)[]) : (['desk', '320 px'] as const);
const judged = isFullRun ? ['desk', 'phone'] : ['desk'];

test(`${languages.en.name}: every screen has no serious accessibility violation in both themes, and fits a desktop, 320 px and 400 %, also with wider spacing`, async ({
  browser,
  guide,
}) => {
  const faults = await onEveryScreen(
    browser,
    guide,
    async () => undefined,
    async (page, stop) => {
      await page.setViewportSize(wide);
      await visit(page, guide, 'en', stop);
      return atWidths(page, looked, async name => [
        ...(await overflow(page)),
        ...(judged.includes(name) ? await violationsInBothThemes(page) : []),
      ]);
    },
  );
  expect(faults).toEqual([]);
});

// Colours and code are the same in every language, and text that is narrow at 1024 or 390 px is narrower at these two
// widths: at 768 px the account's menu is open beside the page.
for (const language of languageCodes.filter(code => code !== 'en'))
  test(`${languages[language].name}: every screen has no serious accessibility violation, and fits 768 and 320 px and 400 %, also with wider spacing`, {
    tag: '@soak',
  }, async ({ browser, guide }) => {
    const faults = await onEveryScreen(
      browser,
      guide,
      async () => undefined,
      async (page, stop) => {
        await page.setViewportSize(tablet);
        await visit(page, guide, language, stop);
        return atWidths(page, ['tablet', '320 px'], async name => [
          ...(await overflow(page)),
          ...(name === 'tablet' ? await textViolations(page) : []),
        ]);
      },
    );
    expect(faults).toEqual([]);
  });

test('U56 every screen with texts that are 40 % longer fits 1024 and 360 px, without a serious violation in both themes', {
  tag: '@soak',
}, async ({ browser, guide }) => {
  const faults = await onEveryScreen(browser, guide, usePseudoTexts, async (page, stop) => {
    await page.setViewportSize(smallDesk);
    await visit(page, guide, 'en', stop, sayPseudo);
    // A subscription's title is its address.
    await expect(page.getByRole('heading', { level: 1 })).toContainText(/\[|^\d+(\.\d+){3}$/);
    const atDesk = named('small desk', await overflow(page));
    await page.setViewportSize(slim);
    // Pseudo texts stand in brackets, so a button's name never contains its visible text.
    const serious = (await violationsInBothThemes(page)).filter(each => !each.includes('label-content-name'));
    return [...atDesk, ...(await overflow(page)), ...serious];
  });
  expect(faults).toEqual([]);
});
