import { languageCodes, languages } from '@fixpoint/contract/languages.ts';
import { type Browser, test as base, expect, type Page } from '@playwright/test';
import { faultsByDayAndNight, faultsOfWords } from '../axe.ts';
import { testStack } from '../env.ts';
import { overflow } from '../overflow.ts';
import { sayPseudo, speakPseudo } from '../pseudo.ts';
import { type Guide, openWindow, prepareGuide, type Stop, stops, visit } from '../tour.ts';

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
/** Where the columns of a desk are narrowest. */
const smallDesk = { width: 1024, height: 768 };
const tablet = { width: 768, height: 1024 };
const phone = { width: 390, height: 844 };
/** A window of 1280 px at 400 % (WCAG 1.4.10); as narrow as the narrowest phone. */
const narrow = { width: 320, height: 256 };
/** An ordinary small phone, for texts that are longer than any of ours. */
const slim = { width: 360, height: 740 };

/** WCAG 1.4.12: whoever reads better so may set these. */
const spacing = `
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
  p { margin-bottom: 2em !important; }`;

/** Looks at every screen, as visitor and as customer, in windows that `open` makes ready; what it finds, by screen. */
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

for (const language of languageCodes) {
  // Colours and the program are the same in every language: judged whole in one, and below with texts of another length.
  const isWhole = language === 'en';
  const judge = isWhole ? faultsByDayAndNight : faultsOfWords;
  test(`${languages[language].name}: on every screen nothing serious${isWhole ? ' by day and by night, at a desk and on a phone' : ''}; it fits 1024, 768 and 320 px and 400 %, also with wider spacing`, async ({
    browser,
    guide,
  }) => {
    const faults = await onEveryScreen(
      browser,
      guide,
      async () => undefined,
      async (page, stop) => {
        await page.setViewportSize(wide);
        await visit(page, guide, language, stop);
        const atDesk = await judge(page);
        await page.setViewportSize(smallDesk);
        const atSmallDesk = await overflow(page);
        await page.setViewportSize(tablet);
        const onTablet = await overflow(page);
        await page.setViewportSize(phone);
        const onPhone = isWhole ? await judge(page) : await overflow(page);
        await page.setViewportSize(narrow);
        return [
          ...named('desk', atDesk),
          ...named('small desk', atSmallDesk),
          ...named('tablet', onTablet),
          ...named('phone', onPhone),
          ...named('320 px', await overflow(page)),
          ...named('spaced', await overflowWithSpacing(page)),
        ];
      },
    );
    expect(faults).toEqual([]);
  });
}

test('U56 on every screen texts that are 40 % longer fit at 360 px, with nothing serious by day and by night', async ({
  browser,
  guide,
}) => {
  const faults = await onEveryScreen(browser, guide, speakPseudo, async (page, stop) => {
    await page.setViewportSize(slim);
    await visit(page, guide, 'en', stop, sayPseudo);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('[');
    // A pseudo text stands in brackets: the name of a button never holds what is written on it.
    const serious = (await faultsByDayAndNight(page)).filter(each => !each.includes('label-content-name'));
    return [...(await overflow(page)), ...serious];
  });
  expect(faults).toEqual([]);
});
