import { expect, type Page, test } from '@playwright/test';
import { testStack } from '../env.ts';
import { say } from '../texts.ts';

// An answer on its way when a test ends must not fail it.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }));

const t = say('en');
const open = (page: Page, path: string) => page.goto(`${testStack().url}/#/en${path}`);

/** A fake of the operator's chat: reports that it is ready, and records messages. */
const chatOrigin = 'http://chat.example';
async function withChat(page: Page) {
  await page.route('**/config.json', async route => {
    const answer = await route.fetch();
    const chat = { CHATWOOT_URL: chatOrigin, CHATWOOT_TOKEN: 'inbox' };
    await route.fulfill({ json: { ...(await answer.json()), ...chat } });
  });
  // The server names a configured chat's origin in this header; here only the page sees it.
  await page.route(`${testStack().url}/`, async route => {
    const answer = await route.fetch();
    const policy = (answer.headers()['content-security-policy'] ?? '').replace(
      'frame-src',
      `frame-src ${chatOrigin}`,
    );
    await route.fulfill({
      response: answer,
      headers: { ...answer.headers(), 'content-security-policy': policy },
    });
  });
  const asked: string[] = [];
  await page.route(`${chatOrigin}/**`, route => {
    asked.push(route.request().url());
    const widget = `<title>chat</title><p id="heard"></p><script>
      addEventListener('message', event => { heard.textContent += event.data; });
      parent.postMessage('chatwoot-widget:{"event":"loaded","config":{"authToken":"conversation-1"}}', '*');
    </script>`;
    return route.fulfill({ contentType: 'text/html', body: widget });
  });
  return asked;
}

test('U13 The front page promises what the operator offers, has one main action, and has no motion for visitors who prefer none', async ({
  page,
}) => {
  await open(page, '');
  await expect(page.getByRole('heading', { level: 1, name: t('home.title') })).toBeVisible();
  for (const promise of ['ip', 'bandwidth', 'logs', 'hosts']) {
    await expect(page.getByRole('heading', { name: t(`home.promise.${promise}.title`) })).toBeVisible();
  }
  // No chat is configured here, so the page promises none.
  await expect(page.getByRole('heading', { name: t('home.promise.help.mailAlways') })).toBeVisible();
  await expect(page.getByText(t('home.promise.help.chatAlways'))).toHaveCount(0);
  await expect(page.getByText(/^From THB\s129\.33 a month in the first year/).first()).toBeVisible();
  await expect(page.getByRole('figure', { name: t('home.regions.map') })).toContainText('Bangkok');
  expect(await page.evaluate('document.getAnimations().length')).toBe(0);
  await page.getByRole('link', { name: t('home.start') }).click();
  await expect(page).toHaveURL(/get-started/);
  // The status page: what the host of this shop reports.
  await page.getByRole('link', { name: t('status.title') }).click();
  await expect(page.getByText(t('status.up')).first()).toBeVisible();
});

test('The prices show for each billing period the monthly price, the price now and the price later', async ({
  page,
}) => {
  await open(page, '/get-started');
  const solo = page
    .getByRole('article')
    .filter({ has: page.getByRole('heading', { name: t('plans.name.solo') }) });
  await expect(solo).toContainText(/THB\s129\.33/);
  await expect(solo).toContainText(
    /First year THB\s1,552\.00, then THB\s1,910\.00 every 12 months\. VAT included\./,
  );
  // A saving of the first year only is not shown as permanent.
  await expect(
    page.getByRole('radio', { name: /^12 months.*35% less than paying monthly in the first year$/ }),
  ).toBeChecked();
  await expect(page.getByRole('radio', { name: /^6 months.*10% less than paying monthly$/ })).toBeVisible();
  await page.getByRole('radio', { name: t('plans.cycle.1'), exact: true }).check();
  await expect(solo).toContainText(/THB\s199\.00 for 1 month, VAT included/);
  const compare = page.getByRole('table', { name: t('plans.compare') });
  await expect(compare.getByRole('row', { name: /12 months, after that/ })).toContainText(/THB\s159\.17/);
  await expect(compare.getByRole('row', { name: /Devices/ })).toContainText('15');
  // All methods of the order page.
  for (const way of ['plans.pay.card', 'billing.method.paypal', 'billing.method.promptpay'] as const) {
    await expect(page.getByText(t(way), { exact: true })).toBeVisible();
  }
});

test('Questions open by keyboard', { tag: '@soak' }, async ({ page }) => {
  await open(page, '/get-started');
  const question = page.getByText(t('plans.faq.anonymous.question'));
  await question.focus();
  await page.locator('summary', { has: question }).press('Enter');
  await expect(page.getByText(t('plans.faq.anonymous.answer'))).toBeVisible();
});

test('The explanation says what a VPN does not do, and sets up each kind of device', async ({ page }) => {
  await open(page, '/what-is-vpn');
  await expect(page.getByText(t('vpn.limits.anonymous'))).toBeVisible();
  const ways = page.getByRole('figure');
  await expect(ways.nth(1)).toContainText(t('vpn.link.tunnel'));
  await expect(ways.nth(0)).not.toContainText(t('vpn.link.tunnel'));
  const official = /^https:\/\/(openvpn\.net|apps\.apple\.com|play\.google\.com)\//;
  const tabs = page.getByRole('tablist', { name: t('guide.device') });
  for (const device of ['windows', 'macos', 'linux', 'chromeos', 'ios', 'android']) {
    const tab = tabs.getByRole('tab', { name: t(`guide.device.${device}`), exact: true });
    await tab.click();
    const panel = page.getByRole('tabpanel', { name: t(`guide.device.${device}`) });
    await expect(panel.getByRole('listitem')).toHaveCount(3);
    for (const link of await panel.getByRole('link').all()) {
      await expect(link).toHaveAttribute('href', official);
    }
  }
  await tabs.getByRole('tab', { name: t('guide.device.android') }).press('Home');
  await expect(tabs.getByRole('tab', { name: t('guide.device.windows') })).toBeFocused();
});

test('S81 a search for logs that found none is shown with its date and its signed report', {
  tag: '@soak',
}, async ({ page }) => {
  const report = JSON.stringify({ searchedAt: '2026-11-21T20:00:00.000Z' });
  await page.route('**/no-logs.json', route => route.fulfill({ json: { reports: [{ report }] } }));
  await open(page, '/what-is-vpn');
  // It was the next day in Bangkok already.
  await expect(page.getByText(t('vpn.who.proof', { date: 'November 22, 2026' }))).toBeVisible();
  const link = page.getByRole('link', { name: t('vpn.who.report') });
  await expect(link).toHaveAttribute('href', '/no-logs.json');
  await page.unroute('**/no-logs.json');
  // Without a search the page says nothing about one.
  await page.reload();
  await expect(page.getByText(t('vpn.limits.anonymous'))).toBeVisible();
  await expect(link).toHaveCount(0);
});

test("FU25 the guide opens at the visitor's device", { tag: '@soak' }, async ({ browser }) => {
  const userAgent =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1';
  const phone = await (await browser.newContext({ userAgent })).newPage();
  await open(phone, '/what-is-vpn');
  await expect(phone.getByRole('tab', { name: t('guide.device.ios'), exact: true })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await expect(phone.getByRole('tabpanel', { name: t('guide.device.ios') })).toContainText('App Store');
  await phone.context().close();
});

test('Without a chat, support is an email address with its hours', { tag: '@soak' }, async ({ page }) => {
  await open(page, '/what-is-vpn');
  const support = page.locator('#support');
  await expect(support.getByRole('link', { name: 'support@fixpoint.example' })).toHaveAttribute(
    'href',
    'mailto:support@fixpoint.example',
  );
  await expect(support).toContainText(t('support.hours.always'));
  await expect(support.getByRole('button', { name: t('support.chat.open') })).toHaveCount(0);
});

test('The chat loads only when it is opened, keeps its conversation, and Esc closes it', async ({ page }) => {
  const asked = await withChat(page);
  await open(page, '/what-is-vpn');
  const button = page.locator('#support').getByRole('button', { name: t('support.chat.open') });
  await expect(button).toBeVisible();
  expect(asked).toEqual([]);
  await button.click();
  const chat = page.frameLocator(`iframe[src^="${chatOrigin}"]`);
  await expect(chat.locator('#heard')).toContainText('"event":"config-set","locale":"en"');
  expect(asked).toEqual([`${chatOrigin}/widget?website_token=inbox`]);
  await page.getByRole('region', { name: t('support.help') }).press('Escape');
  await expect(page.locator('iframe')).toHaveCount(0);
  await expect(button).toBeFocused();
  await button.click();
  await expect(chat.locator('#heard')).toContainText('toggle-open');
  expect(asked[1]).toBe(`${chatOrigin}/widget?website_token=inbox&cw_conversation=conversation-1`);
});

test('A chat that does not answer shows the email address, and can be retried', { tag: '@soak' }, async ({
  page,
}) => {
  await withChat(page);
  let silent = true;
  await page.route(`${chatOrigin}/**`, route =>
    silent ? route.fulfill({ contentType: 'text/html', body: '<title>down</title>' }) : route.fallback(),
  );
  await open(page, '/get-started');
  await page
    .getByRole('banner')
    .getByRole('button', { name: t('support.help') })
    .click();
  const panel = page.getByRole('region', { name: t('support.help') });
  await expect(panel.getByRole('alert')).toContainText('support@fixpoint.example');
  silent = false;
  await panel.getByRole('button', { name: t('app.tryAgain') }).click();
  await expect(page.frameLocator('iframe').locator('#heard')).toContainText('config-set');
  await expect(panel.getByRole('alert')).toHaveCount(0);
});

test('Home, prices and the explanation shift nothing while they load', { tag: '@soak' }, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.addInitScript(`{
    let sum = 0;
    new PerformanceObserver(list => {
      for (const entry of list.getEntries()) sum += entry.value;
      document.documentElement.dataset.shift = String(sum);
    }).observe({ type: 'layout-shift', buffered: true });
  }`);
  await page.setViewportSize({ width: 390, height: 844 });
  // Slow enough for every placeholder to be visible.
  await page.route(/\/v1\/order\/|\/assets\/country-names-/, async route => {
    await new Promise(resolve => setTimeout(resolve, 600));
    await route.continue();
  });
  for (const path of ['', '/get-started', '/what-is-vpn', '/order?plan=plus&cycle=12']) {
    await page.goto('about:blank');
    await open(page, path);
    await page.waitForLoadState('networkidle');
    const shift = Number(await page.evaluate('document.documentElement.dataset.shift ?? 0'));
    expect(shift, path || '/').toBeLessThanOrEqual(0.02);
  }
});

/** The addresses in the hero by place; the last one is at the marker. */
const addresses = (page: Page) =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll('main section:first-of-type .mono')].map(each => each.textContent)`,
  );

/** Records the addresses in the page after each change. */
const noteAddresses = `globalThis.seenAddresses = [];
  new MutationObserver(() => {
    const now = [...document.querySelectorAll('main section:first-of-type .mono')].map(each => each.textContent);
    if (now.length === 4 && JSON.stringify(now) !== JSON.stringify(seenAddresses.at(-1))) seenAddresses.push(now);
  }).observe(document, { subtree: true, childList: true, characterData: true });`;

for (const language of ['en', 'mm'] as const) {
  test(`FU10 the addresses in the hero change, one stays, and the motion ends (${language})`, {
    tag: '@soak',
  }, async ({ page }) => {
    const words = say(language);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.addInitScript(noteAddresses);
    await page.goto(`${testStack().url}/#/${language}`);
    for (const key of ['cafe', 'home', 'phone', 'always'])
      await expect(page.getByText(words(`home.hero.${key}`), { exact: true }).first()).toBeVisible();
    const seen = () => page.evaluate<string[][]>('globalThis.seenAddresses');
    await expect.poll(async () => (await seen()).length).toBeGreaterThan(1);
    let before = 0;
    const isAtRest = async () => {
      const last = before;
      before = (await seen()).length;
      return before === last;
    };
    await expect.poll(isAtRest, { message: 'it comes to rest', intervals: [6000] }).toBe(true);
    for (const four of await seen()) {
      expect(new Set(four).size).toBe(4);
      expect(four[3]).toBe((await addresses(page))[3]);
    }
  });
}

test('FU10 a visitor who prefers no motion sees a still hero', { tag: '@soak' }, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`${testStack().url}/#/en`);
  await expect(page.getByText(t('home.hero.always'))).toBeVisible();
  const before = await addresses(page);
  await page.waitForTimeout(2500);
  expect(await addresses(page)).toEqual(before);
  expect(await page.evaluate('document.getAnimations().length')).toBe(0);
});
