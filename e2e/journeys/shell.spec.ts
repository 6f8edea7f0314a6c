import { languages } from '@fixpoint/contract/languages.ts';
import { variants } from '@fixpoint/testkit/test-gate.ts';
import { expect, type Page, test } from '@playwright/test';
import { becomeCustomer, becomeMember } from '../customer.ts';
import { testStack } from '../env.ts';
import { say } from '../texts.ts';

// An answer on its way when a test ends must not fail it.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }));

const t = say('en');
const at = (path: string) => `${testStack().url}/#${path}`;
const headline = (page: Page, name?: string) => page.getByRole('heading', { level: 1, name });

test('A path without a language gets English, also one that looks like another site (S63)', async ({
  page,
}) => {
  for (const path of ['/get-started', '//evil.example', '/\\evil.example', '/%2f%2fevil.example']) {
    await page.goto('about:blank');
    await page.goto(at(path));
    await expect(headline(page)).toBeVisible();
    expect(new URL(page.url()).origin).toBe(new URL(testStack().url).origin);
    // The prerendered headline is there before the program.
    await expect.poll(() => new URL(page.url()).hash).toMatch(/^#\/en\//);
  }
});

test('UX1 a link of the prerendered shell leads to its screen before the program is there', async ({
  page,
}) => {
  let release = () => {};
  const released = new Promise<void>(resolve => {
    release = resolve;
  });
  await page.route('**/assets/*.js', route => released.then(() => route.continue()));
  await page.goto(at('/en'));
  await page.getByRole('link', { name: t('home.start') }).click();
  await expect(page).toHaveURL(at('/en/get-started'));
  release();
  await expect(headline(page, t('plans.title'))).toBeVisible();
});

test('A page that is not found says so and leads to the plans', async ({ page }) => {
  for (const path of variants(['/en/no/such/page', '/en/"]', '/en/404', '/en/order/paypal-test'], 2)) {
    await page.goto('about:blank');
    await page.goto(at(path));
    await expect(headline(page, t('notFound.title'))).toBeVisible();
    await expect(page.getByText(t('notFound.text1'))).toBeVisible();
  }
  const main = page.getByRole('main');
  for (const key of ['notFound.home', 'notFound.support', 'notFound.product', 'notFound.start'] as const)
    await expect(main.getByRole('link', { name: t(key), exact: true })).toHaveAttribute(
      'href',
      '#/en/get-started',
    );
});

for (const language of variants(['en', 'th'] as const, 1)) {
  test(`BG5 a link whose # was lost or escaped leads to its screen with its query, any other to not found (${language})`, async ({
    browser,
  }) => {
    const context = await browser.newContext({ locale: languages[language].tag });
    const page = await context.newPage();
    const words = say(language);
    const { url } = testStack();
    const order = at(`/${language}/order?plan=plus&cycle=12`);
    for (const path of [
      `/%23/${language}/order?plan=plus&cycle=12`,
      `/${language}/order?plan=plus&cycle=12`,
    ]) {
      await page.goto(`${url}${path}`);
      await expect(headline(page, words('order.title'))).toBeVisible();
      await expect(page).toHaveURL(order);
    }
    const answer = await page.goto(`${url}/no/such/page`);
    expect(answer?.status()).toBe(404);
    await expect(headline(page, words('notFound.title'))).toBeVisible();
    await expect(page).toHaveURL(at(`/${language}/404`));
    await page
      .getByRole('main')
      .getByRole('link', { name: words('notFound.start') })
      .click();
    await expect(page).toHaveURL(at(`/${language}/get-started`));
    await context.close();
  });
}

test('BG12 a browser without JavaScript, and one that is too old, is told so', async ({ browser }) => {
  const { url } = testStack();
  const without = await browser.newContext({ javaScriptEnabled: false });
  const plain = await without.newPage();
  await plain.goto(url);
  // Selectors by text pass over this element.
  await expect(plain.locator('noscript p')).toContainText(t('app.noScript').split('{')[0]!);
  await without.close();
  const old = await (await browser.newContext()).newPage();
  await old.addInitScript('CSS.supports = () => false');
  await old.goto(`${url}/#/en/get-started`);
  await expect(old.getByText(t('app.oldBrowser').split('{')[0]!)).toBeVisible();
  await old.context().close();
});

test('A visitor is sent to log in from every screen of the account, also from the alias of a new subscription', async ({
  page,
}) => {
  const closed = [
    'dashboard',
    'my-account',
    'billing',
    'subscription',
    'subscription/new',
    'subscription/x/upgrade',
  ];
  for (const path of [...closed.map(each => `management/${each}`), 'subscription/new']) {
    // From the second on within the page, whose address is the closed screen's until the redirect.
    await page.goto(at(`/en/${path}`));
    await expect(page).toHaveURL(at('/en/auth/login'));
    await expect(headline(page, t('login.title'))).toBeVisible();
  }
});

for (const language of variants(['en', 'th'] as const, 1)) {
  test(`SP7 guards come before the search for a screen, also below an area (${language})`, async ({
    page,
  }) => {
    const words = say(language);
    const arrives = async (path: string, to: string, title: string) => {
      await page.goto('about:blank');
      await page.goto(at(`/${language}/${path}`));
      await expect(headline(page, words(title))).toBeVisible();
      await expect(page).toHaveURL(at(`/${language}/${to}`));
    };
    await arrives('management/no/such/page', 'auth/login', 'login.title');
    await arrives('management', 'auth/login', 'login.title');
    await arrives('auth/no-such-page', 'auth/no-such-page', 'notFound.title');
    // Slashes that a joined link repeats.
    await arrives('//what-is-vpn', 'what-is-vpn', 'vpn.title');
    await becomeMember(page);
    await arrives('auth/no-such-page', 'get-started', 'plans.title');
    await arrives('?again', 'get-started', 'plans.title');
    await arrives('management/no/such/page', 'management/no/such/page', 'notFound.title');
  });
}

test('Every screen of the account opens for a customer; auth and index lead to the plans', async ({
  page,
}) => {
  await becomeCustomer(page);
  await page.getByRole('link', { name: /Bangkok/ }).click();
  await expect(page).toHaveURL(/management\/subscription\/.+/);
  // A customer who returns before the next screen was drawn never left this one.
  await expect(headline(page, t('nav.overview'))).toHaveCount(0);
  const own = new URL(page.url()).hash.slice('#/en/'.length);
  const screens = [
    ['management/dashboard', 'nav.overview'],
    ['management/billing', 'nav.billing'],
    ['management/subscription/new', 'subscriptions.new'],
    // Between two similar screens.
    [`${own}/bandwidth-control`, 'bandwidth.title'],
    ['subscription/new', 'subscriptions.new'],
    [`${own}/upgrade`, 'upgrade.title'],
  ] as const;
  for (const [path, title] of screens) {
    await page.goto(at(`/en/${path}`));
    await expect(headline(page, t(title))).toBeFocused();
    await expect(page).toHaveTitle(new RegExp(t(title)));
    await expect(page.getByRole('main').getByRole('status', { name: t('app.loading') })).toHaveCount(0);
    await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0);
  }
  // The receipt waits for the paid period.
  await page.route('**/v1/billing/myBilling*', async route => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { data: { items: { documentId?: string }[] } };
    for (const item of body.data.items) delete item.documentId;
    await route.fulfill({ response: answer, json: body });
  });
  await page.goto(at('/en/management/billing'));
  await page.reload();
  await expect(page.getByRole('cell', { name: t('billing.documents.soon') })).toBeVisible();
  await page.unroute('**/v1/billing/myBilling*');
  await page.reload();
  await expect(page.getByRole('cell', { name: t('billing.status.paid') })).toBeVisible();
  // From the list of receipts to the PDF.
  await page
    .getByRole('cell', { name: /^\d{4}-\d{6}$/ })
    .getByRole('link')
    .click();
  await expect(headline(page, t('billing.invoiceTitle'))).toBeFocused();
  const pdf = page.getByRole('button', { name: /PDF/ });
  // The PDF is generated after the purchase, and the page polls.
  await expect(pdf).toBeVisible({ timeout: 120_000 });
  const download = page.waitForEvent('download');
  await pdf.click();
  expect((await download).suggestedFilename()).toMatch(/^\d{4}-\d{6}\.pdf$/);
  for (const path of ['/en', '/en/auth/login', '/en/auth/sign-up']) {
    await page.goto(at(path));
    await expect(page).toHaveURL(at('/en/get-started'));
  }
});

test('A new account without a subscription shows the first step', async ({ page }) => {
  await becomeMember(page);
  await page.goto(at('/en/management/dashboard'));
  await expect(page.getByRole('heading', { name: t('subscriptions.empty.title') })).toBeVisible();
  await page.goto(at('/en/management/billing'));
  await expect(page.getByRole('heading', { name: t('billing.empty.title') })).toBeVisible();
});

test('Anchors lead to their headline, also on a screen that still loads', { tag: '@soak' }, async ({
  page,
}) => {
  await page.route('**/v1/order/getAllPlan*', async route => {
    await new Promise(resolve => setTimeout(resolve, 800));
    await route.continue();
  });
  const arrives = async (title: string) => {
    const heading = page.getByRole('heading', { level: 2, name: title, exact: true });
    await expect(heading).toBeFocused();
    await expect(heading).toBeInViewport();
    return heading;
  };
  await page.goto(at('/en/get-started#FAQ'));
  const faq = await arrives(t('plans.faq'));
  await expect(
    page.getByRole('link', { name: t('plans.choose', { plan: t('plans.name.solo') }) }),
  ).toHaveCount(1);
  await expect(faq).toBeInViewport();
  const footer = page.getByRole('contentinfo');
  await footer.getByRole('link', { name: t('footer.tutorial') }).click();
  await arrives(t('guide.title'));
  await footer.getByRole('link', { name: t('footer.contactUs') }).click();
  await arrives(t('support.title'));
});

test('The download menu works by keyboard: seven official pages, and Esc returns the focus', async ({
  page,
}) => {
  await page.goto(at('/en/get-started'));
  const button = page.getByRole('button', { name: t('nav.downloads') });
  await button.focus();
  await page.keyboard.press('ArrowDown');
  const items = page.getByRole('menuitem');
  await expect(items).toHaveCount(7);
  await expect(items.first()).toBeFocused();
  await page.keyboard.press('End');
  await expect(page.getByRole('menuitem', { name: t('download.googlePlay') })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(button).toBeFocused();
});

test('On a phone in Thai the drawer is 200 px wide and has the same links as the bar', async ({ page }) => {
  const th = say('th');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(at('/th/get-started'));
  await page.getByRole('button', { name: th('nav.menu'), exact: true }).click();
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByRole('link', { name: th('vpn.title') })).toBeVisible();
  expect((await drawer.boundingBox())?.width).toBe(200);
  for (const key of ['nav.pricing', 'nav.login', 'signUp.title'] as const)
    await expect(drawer.getByRole('link', { name: th(key), exact: true })).toBeVisible();
  await drawer.getByText(th('nav.downloads')).click();
  await expect(drawer.getByRole('link', { name: th('download.mac'), exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: th('nav.menu'), exact: true })).toBeFocused();
});

test('The drawer shows its links in full under a name of one long word', { tag: '@soak' }, async ({
  page,
}) => {
  // Measured at rest, not in motion.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.route('**/v1/auth/profile', async route => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { data: { email: string } };
    body.data.email = `${'a'.repeat(64)}@example.com`;
    await route.fulfill({ response: answer, json: body });
  });
  await becomeMember(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(at('/en/get-started'));
  await page.getByRole('button', { name: t('nav.menu'), exact: true }).click();
  const drawer = page.getByRole('dialog', { name: 'a'.repeat(64) });
  await expect(drawer).toBeVisible();
  const name = await drawer.getByRole('heading', { level: 2 }).first().boundingBox();
  const frame = await drawer.boundingBox();
  expect(name!.x).toBeGreaterThan(frame!.x);
  expect(name!.x + name!.width).toBeLessThan(frame!.x + frame!.width);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

const seller = {
  COMPANY_NAME: 'Example Co., Ltd.',
  COMPANY_ADDRESS: '1 Example Road, Bangkok',
  COMPANY_TAX_ID: '0105500000000',
};
const asSeller = (page: Page) =>
  page.route('**/config.json', async route => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...(await answer.json()), ...seller } });
  });

test('FU9 the footer names the seller, opens our details in a dialog of at most 776 px, and shows the required version (W8)', async ({
  page,
}) => {
  await asSeller(page);
  await page.goto(at('/en/get-started'));
  for (const part of Object.values(seller)) await expect(page.getByRole('contentinfo')).toContainText(part);
  const shown = t('footer.version', { version: '1.1.208-20250909' });
  await expect(page.getByRole('contentinfo').getByText(shown)).toBeVisible();
  for (const key of ['footer.about', 'footer.terms', 'footer.privacy'] as const) {
    await page
      .getByRole('contentinfo')
      .getByRole('button', { name: t(key) })
      .click();
    const dialog = page.getByRole('dialog', { name: t(key) });
    await expect(dialog).toBeVisible();
    expect((await dialog.boundingBox())!.width).toBeLessThanOrEqual(776);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }
});

test('FU9 the footer names the seller on the order page too', { tag: '@soak' }, async ({ page }) => {
  await asSeller(page);
  for (const path of ['/en/get-started', '/en/order?plan=solo&cycle=1']) {
    await page.goto('about:blank');
    await page.goto(at(path));
    for (const part of Object.values(seller)) await expect(page.getByRole('contentinfo')).toContainText(part);
  }
});

test('A session that ends by itself leads back after login, with query and anchor', {
  tag: '@soak',
}, async ({ page }) => {
  const { email, account } = await becomeCustomer(page);
  const here = at('/en/get-started?from=mail#FAQ');
  await page.goto(here);
  await expect(headline(page, t('plans.title'))).toBeVisible();
  await page.evaluate(`localStorage.removeItem('token');
    dispatchEvent(new StorageEvent('storage', { key: 'token', newValue: null }))`);
  await expect(account.loginTitle).toBeVisible();
  await account.email.fill(email);
  await account.logIn();
  await expect(page).toHaveURL(here);
});

test('Going back closes a dialog of the footer', { tag: '@soak' }, async ({ page }) => {
  await page.goto(`${testStack().url}/#/en/get-started`);
  await expect(page.getByRole('heading', { level: 1, name: t('plans.title') })).toBeVisible();
  for (const opener of [t('footer.terms'), t('footer.about')]) {
    await page.evaluate(`location.hash = '#/en/what-is-vpn'`);
    await expect(page.getByRole('heading', { level: 1, name: t('vpn.title') })).toBeVisible();
    await page.getByRole('button', { name: opener }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1, name: t('plans.title') })).toBeVisible();
    await expect(page.getByRole('dialog')).toBeHidden();
  }
});

test('A phone menu that going back closed does not open by itself later', { tag: '@soak' }, async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(at('/en/get-started'));
  await expect(headline(page, t('plans.title'))).toBeVisible();
  await page.evaluate(`location.hash = '#/en/what-is-vpn'`);
  await expect(headline(page, t('vpn.title'))).toBeVisible();
  await page.getByRole('button', { name: t('nav.menu'), exact: true }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.goBack();
  await expect(headline(page, t('plans.title'))).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.goForward();
  await expect(headline(page, t('vpn.title'))).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('A link followed while the page is being drawn is not lost', { tag: '@soak' }, async ({ page }) => {
  // Just before the page listens to the address.
  await page.addInitScript(`
    const listen = window.addEventListener;
    window.addEventListener = function (type, ...rest) {
      if (type === 'popstate') {
        window.addEventListener = listen;
        history.pushState(null, '', '#/en/what-is-vpn');
      }
      return listen.call(this, type, ...rest);
    };
  `);
  await page.goto(at('/en/get-started'));
  await expect(headline(page, t('vpn.title'))).toBeVisible();
});
