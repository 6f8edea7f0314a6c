import { languages } from '@fixpoint/contract/languages.ts';
import { variants } from '@fixpoint/testkit/test-gate.ts';
import { expect, type Page, test } from '@playwright/test';
import { becomeCustomer } from '../customer.ts';
import { testStack } from '../env.ts';
import { orderScreen } from '../screens/order.ts';
import { say } from '../texts.ts';

/**
 * What a browser that translates a page does to it, again after each change: every text node is
 * replaced by an element with the translation, except where `translate="no"` stands.
 */
const translator = `(() => {
  const isKept = node =>
    node.parentElement?.closest('[translate=no], script, style, noscript, [data-translated]');
  const translate = () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) {
      if (!text.data.trim() || isKept(text)) continue;
      const outer = document.createElement('font');
      const inner = document.createElement('font');
      outer.dataset.translated = '';
      inner.textContent = '«' + text.data + '»';
      outer.append(inner);
      text.replaceWith(outer);
    }
  };
  document.documentElement.classList.add('translated-ltr');
  new MutationObserver(translate).observe(document.body, { childList: true, characterData: true, subtree: true });
  translate();
})()`;

async function translated(page: Page): Promise<string[]> {
  const faults: string[] = [];
  page.on('pageerror', error => faults.push(error.message));
  await page.evaluate(translator);
  expect(await page.locator('[data-translated]').count()).toBeGreaterThan(10);
  return faults;
}

/** Text of an element as somebody reads it, without the marks of the translator. */
const read = async (page: Page, selector: string) =>
  (await page.locator(selector).allInnerTexts()).map(text => text.replace(/[«»]/g, ''));

for (const language of variants(['en', 'th'] as const, 1)) {
  test.describe(`in ${language}`, () => {
    test.use({ locale: languages[language].tag });
    const t = say(language);
    const open = async (page: Page, path: string) => {
      await page.goto('about:blank');
      await page.goto(`${testStack().url}/#/${language}/${path}`);
    };
    // The page names the fields of a card until the provider's frame does, whenever that comes.
    const ofFrame = new Set(['order.card.number', 'order.card.expiry', 'order.card.cvc'].map(key => t(key)));
    const lines = async (page: Page, selector: string) =>
      (await read(page, selector)).map(text => text.split('\n').filter(line => !ofFrame.has(line.trim())));
    /** Follows what the page says through the same steps, translated and not. A step waits for its effect. */
    const alike = async (page: Page, path: string, selector: string, steps: (() => Promise<unknown>)[]) => {
      const start = async () => {
        await open(page, path);
        await page.locator(selector).first().waitFor();
        await page.waitForLoadState('networkidle');
      };
      const said: string[][][] = [];
      await start();
      for (const step of steps) {
        await step();
        said.push(await lines(page, selector));
      }
      // The steps change what is read.
      expect(new Set(said.map(seen => seen.join())).size).toBeGreaterThan(1);
      await start();
      const faults = await translated(page);
      for (const [index, step] of steps.entries()) {
        await step();
        await expect.poll(() => lines(page, selector)).toEqual(said[index]);
      }
      expect(faults).toEqual([]);
    };
    const choose = (page: Page, key: string) => () =>
      page
        .getByRole('radio', { name: new RegExp(t(key)) })
        .first()
        .check({ force: true });

    test(`BG4 plan tiles and order follow a choice on a translated page (${language})`, async ({ page }) => {
      const cycles = [
        choose(page, 'plans.cycle.1'),
        choose(page, 'plans.cycle.12'),
        choose(page, 'plans.cycle.3'),
      ];
      await alike(page, 'get-started', 'main article', cycles);
      await alike(page, 'order?plan=solo&cycle=1', 'main form', [
        async () => undefined,
        async () => {
          await page
            .getByRole('button', { name: t('order.plan.change') })
            .first()
            .click();
        },
        async () => {
          await choose(page, 'plans.cycle.12')();
          await expect(page.locator('main form')).toContainText(t('order.summary.regular').slice(0, 8));
        },
      ]);
    });

    test(`BG4 passwords can be shown, errors come and go, and the language changes on a translated page (${language}) @soak`, async ({
      page,
    }) => {
      await open(page, 'auth/sign-up');
      const show = page.getByRole('button', { name: t('password.show') }).first();
      await show.waitFor();
      const faults = await translated(page);
      const password = page.locator('input[autocomplete="new-password"]').first();
      await password.fill('abc');
      for (const type of ['text', 'password', 'text']) {
        await page.locator('button[aria-controls]').first().click();
        await expect(password).toHaveAttribute('type', type);
      }
      await page.locator('main form button[type=submit]').click();
      await expect(page.getByText(t('form.email.required')).first()).toBeVisible();
      await page.locator('input[type=email]').fill('ann@example.com');
      await page.evaluate(`location.hash = '#/${language}/auth/login'`);
      await expect(page.getByRole('heading', { level: 1, name: t('login.title') })).toBeVisible();
      await page.locator('button[aria-controls]').first().click();
      await page.evaluate("location.hash = '#/vn/auth/login'");
      await expect(page.getByRole('heading', { level: 1, name: say('vn')('login.title') })).toBeVisible();
      expect(faults).toEqual([]);
    });
  });
}

test('BG4 a translator changes no amount, address or code, and the account follows what happens', async ({
  page,
}) => {
  const t = say('en');
  await becomeCustomer(page);
  const faults = await translated(page);
  const address = page
    .locator('[translate=no]')
    .filter({ hasText: /^\d+(\.\d+){3}$/ })
    .first();
  await expect(address).toBeVisible();
  await page.evaluate("location.hash = '#/en/get-started'");
  await expect(page.locator('article [translate=no]').filter({ hasText: /\d/ }).first()).toBeVisible();
  await expect(page.locator('[translate=no] [data-translated]')).toHaveCount(0);
  await orderScreen(page, t).open();
  expect(faults).toEqual([]);
});
