import { expect, type Page, test } from '@playwright/test';
import { delayRequest } from '../blocked.ts';
import { becomeCustomer } from '../customer.ts';
import { testStack } from '../env.ts';
import { say } from '../texts.ts';

const shop = '#/en/get-started';
/** Screens that a visitor opens from the shop: the link's target, and the part of the program that shows it. */
const screens = [
  { href: '#/en/what-is-vpn', part: 'what-is-vpn' },
  { href: '#/en/order?plan=solo', part: 'order' },
  { href: '#/en/auth/login', part: 'login' },
  { href: '#/en/auth/sign-up', part: 'sign-up' },
];
const linkTo = (href: string) => `a[href^="${href}"]`;

/** Duration of `work()` in a page on a free core of a 2.4 GHz server, in ms. The limit is meant for such a machine. */
const WORK_MS = 12.5;
const work = `
  globalThis.work = () => {
    const since = performance.now();
    let sum = 0;
    for (let n = 0; n < 10_000_000; n++) sum = (Math.imul(sum, 31) + n) | 0;
    globalThis.workDone = sum;
    return performance.now() - since;
  };
  // The first runs are slow, before the browser has compiled it.
  for (let run = 0; run < 3; run++) work();`;

/**
 * Milliseconds from a click until the next screen's headline is there, measured in the page and scaled to an idle machine
 * by a fixed piece of work right before and after the click.
 */
async function clickThrough(page: Page, href: string): Promise<number> {
  const { took, worked } = await page.evaluate<{ took: number; worked: number }>(`(async () => {
    const before = work();
    document.querySelector('main h1').setAttribute('data-before', '');
    const since = performance.now();
    const took = await new Promise(resolve => {
      new MutationObserver((_, observer) => {
        if (!document.querySelector('main h1:not([data-before])')) return;
        observer.disconnect();
        resolve(performance.now() - since);
      }).observe(document.body, { subtree: true, childList: true });
      document.querySelector('${linkTo(href)}').click();
    });
    return { took, worked: (before + work()) / 2 };
  })()`);
  return took / Math.max(1, worked / WORK_MS);
}

/** Parts of the program that a page has requested and received. */
function watchParts(page: Page) {
  const asked: string[] = [];
  let underWay = 0;
  page.on('request', request => {
    const part = /\/assets\/(.+)-\w{7}\.js$/.exec(request.url())?.[1];
    if (!part) return;
    asked.push(part);
    underWay += 1;
    request
      .response()
      .then(response => response?.finished())
      .finally(() => {
        underWay -= 1;
      });
  });
  return { asked, has: (part: string) => asked.includes(part) && underWay === 0 };
}

const median = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;

test('Later screens appear within 100 ms, because they load before the click', {
  tag: '@soak',
}, async ({ page }) => {
  test.setTimeout(120_000);
  const times: Record<string, number[]> = {};
  const note = (href: string, time: number) => {
    times[href] = [...(times[href] ?? []), time];
  };
  const parts = watchParts(page);
  for (let round = 0; round < 3; round++) {
    // Reloads each time, so that a screen is new or known as intended.
    await page.goto('about:blank');
    parts.asked.length = 0;
    await page.goto(`${testStack().url}/${shop}`);
    await page.locator('#FAQ summary').first().waitFor();
    await page.evaluate(work);
    for (const { href, part } of screens) {
      await page.locator(linkTo(href)).first().hover();
      await expect.poll(() => parts.has(part), { message: `${part} is brought`, intervals: [50] }).toBe(true);
      const before = parts.asked.filter(each => each === part).length;
      note(href, await clickThrough(page, href));
      note(shop, await clickThrough(page, shop));
      expect(parts.asked.filter(each => each === part).length, `${part} is asked for no second time`).toBe(
        before,
      );
    }
  }
  test.info().annotations.push({ type: 'ms', description: JSON.stringify(times) });
  const medians = Object.entries(times).map(([href, each]) => ({ href, ms: Math.round(median(each)) }));
  expect(medians.filter(({ ms }) => ms > 100)).toEqual([]);
});

test('A screen that is still loading leaves the previous one in place', { tag: '@soak' }, async ({
  page,
}) => {
  const release = await delayRequest(page, /\/assets\/order-[\w-]+\.js/);
  await page.goto(`${testStack().url}/${shop}`);
  await page.locator('#FAQ summary').first().waitFor();
  await page.getByRole('article').getByRole('link').first().click();
  await expect(page).toHaveURL(/#\/en\/order/);
  await expect(page.getByRole('progressbar')).toBeVisible();
  await expect(page.getByRole('banner')).toBeVisible();
  await expect(page.getByRole('article').first()).toBeVisible();
  release();
  await expect(page.getByRole('article')).toHaveCount(0);
});

test('A menu opened while the next screen loads stays open, and going back closes it', {
  tag: '@soak',
}, async ({ page }) => {
  const t = say('en');
  await page.setViewportSize({ width: 390, height: 844 });
  const release = await delayRequest(page, /\/assets\/login-[\w-]+\.js/);
  await page.goto(`${testStack().url}/${shop}`);
  await page.locator('#FAQ summary').first().waitFor();
  await page.evaluate(`location.hash = '#/en/auth/login'`);
  const drawer = page.getByRole('dialog', { name: t('nav.menu') });
  await page.getByRole('button', { name: t('nav.menu'), exact: true }).click();
  await expect(drawer).toBeVisible();
  release();
  await expect(page).toHaveTitle(new RegExp(t('login.title')));
  await expect(drawer).toBeVisible();
  await expect(drawer.locator(':focus')).toHaveCount(1);
  await drawer.getByRole('link', { name: t('vpn.title') }).click();
  await expect(page.getByRole('heading', { level: 1, name: t('vpn.title') })).toBeFocused();
  await expect(drawer).toBeHidden();
  await page.getByRole('button', { name: t('nav.menu'), exact: true }).click();
  await expect(drawer).toBeVisible();
  await page.goBack();
  await expect(drawer).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: t('login.title') })).toBeVisible();
});

test('A link leads to the top of its screen, and going back to the former position', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${testStack().url}/${shop}`);
  await page.locator('#FAQ summary').first().waitFor();
  const top = () => page.evaluate<number>('Math.round(scrollY)');
  for (const link of ['#/en/order?plan=team', '#/en/auth/login']) {
    const before = page.url();
    await page.evaluate('scrollTo(0, 1400)');
    // The visitor has scrolled there, so the click must not scroll.
    await page.evaluate(`document.body.append(Object.assign(document.createElement('a'), {
      href: '${link}', id: 'link', textContent: 'go', style: 'position: fixed; inset-block-start: 45%; z-index: 99',
    }))`);
    await page.locator('#link').click();
    await page.evaluate(`document.getElementById('link').remove()`);
    await expect(page).not.toHaveURL(before);
    await expect.poll(top).toBe(0);
    await expect(page.locator('main h1')).toBeFocused();
    await page.goBack();
    await page.locator('#FAQ').waitFor();
    await expect.poll(top).toBe(1400);
  }
});

test('A payment link of a paid order, opened again while the next screen loads, leads on again', {
  tag: '@soak',
}, async ({ page }) => {
  await becomeCustomer(page);
  await page.getByRole('link', { name: /Bangkok/ }).click();
  await expect(page).toHaveURL(/\/subscription\/sub_/);
  const link = `${page.url()}/pay`;
  const release = await delayRequest(page, /\/assets\/subscription-[^/]*\.js$/);
  await page.goto(`${testStack().url}/#/en/management/billing`);
  await page.reload();
  for (const pass of ['opened', 'and again']) {
    await page.goto(link);
    await expect(page, pass).toHaveURL(/\/subscription\/[^/]+$/);
  }
  release();
  await expect(page.getByRole('heading', { name: say('en')('renewal.title'), exact: true })).toBeVisible();
});
