import { createClient } from '@fixpoint/testkit/client.ts';
import { variants } from '@fixpoint/testkit/test-gate.ts';
import { loadBundle } from '@fixpoint/texts/bundles.ts';
import { expect, type Response, test } from '@playwright/test';
import { becomeMember } from '../customer.ts';
import { testStack } from '../env.ts';
import { overflow } from '../overflow.ts';
import { accountScreens } from '../screens/account.ts';
import { say } from '../texts.ts';

test.use({ locale: 'ja-JP' });

test('The browser chooses the language on the root path only', async ({ page }) => {
  await page.goto(`${testStack().url}/`);
  await expect(page).toHaveURL(/#\/jp$/);
  await page.goto(`${testStack().url}/#/get-started`);
  await expect(page).toHaveURL(/#\/en\/get-started$/);
  await page.goto(`${testStack().url}/#/xx/get-started`);
  await expect(page).toHaveURL(/#\/en\/xx\/get-started$/);
});

test('A choice of language changes the page without reloading it, and is remembered', async ({
  page,
  context,
}) => {
  const t = say('en');
  await page.goto(`${testStack().url}/#/en/get-started`);
  await page.evaluate('globalThis.sameDocument = true');
  await page.getByRole('button', { name: t('nav.language') }).click();
  await page.getByRole('menuitemradio', { name: 'ไทย' }).click();
  await expect(page).toHaveURL(/#\/th\/get-started$/);
  await expect(page.locator('html')).toHaveAttribute('lang', 'th-TH');
  expect(await page.evaluate('globalThis.sameDocument')).toBe(true);

  // S67: everything that a cookie remembers of a visitor.
  const cookies = await context.cookies();
  expect(cookies.map(({ name }) => name)).toEqual(['i18n_redirected']);
  const [cookie] = cookies;
  expect(cookie?.value).toBe('th');
  const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400;
  expect(Math.round(days)).toBe(365);

  const other = await context.newPage();
  await other.goto(`${testStack().url}/`);
  await expect(other).toHaveURL(/#\/th$/);
});

test('A page that does not exist says so', { tag: '@soak' }, async ({ page }) => {
  await page.goto(`${testStack().url}/#/en/no/such/page`);
  await expect(page.getByRole('heading', { name: say('en')('notFound.title') })).toBeVisible();
  await expect(page).toHaveTitle(`${say('en')('notFound.title')} · Fixpoint`);
});

const bundleOf = (version: string, uiText: Record<string, string>) => ({
  json: { code: '0000', data: { version, uiText } },
});

test('Only the texts of the current language are loaded, and again only when they have changed', {
  tag: '@soak',
}, async ({ page }) => {
  const answers: Response[] = [];
  page.on('response', response => {
    if (response.url().includes('/uiText/')) answers.push(response);
  });
  const heading = page.getByRole('heading', { level: 1, name: say('th')('plans.title') });
  await page.goto(`${testStack().url}/#/th/get-started`);
  // The headline appears before the program, which stores the texts.
  await expect(page.getByRole('article').first()).toBeVisible();
  await page.reload();
  await expect(heading).toBeVisible();
  await expect.poll(() => answers.length).toBe(2);
  const asked = answers.map(answer => new URL(answer.url()));
  expect(asked.map(url => url.searchParams.get('lang'))).toEqual(['th', 'th']);
  expect(asked[1]!.searchParams.get('version')).toBeTruthy();
  // The second answer says only that the version is the same.
  expect((await answers[1]!.body()).length).toBeLessThan(200);

  await page.route('**/v1/uiText/**', route =>
    route.fulfill(bundleOf('newer', { ...loadBundle('th'), 'plans.title': 'ข้อความใหม่' })),
  );
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'ข้อความใหม่' })).toBeVisible();
});

test('No text key is ever visible: texts that a bundle lacks are English', { tag: '@soak' }, async ({
  page,
}) => {
  const { 'plans.title': _, ...older } = loadBundle('th');
  await page.route('**/v1/uiText/**', route => route.fulfill(bundleOf('older', older)));
  await page.goto(`${testStack().url}/#/th/get-started`);
  await expect(page.getByRole('heading', { level: 1, name: say('en')('plans.title') })).toBeVisible();
});

test('A first visit without texts uses the built-in English', { tag: '@soak' }, async ({ page }) => {
  await page.route('**/v1/uiText/**', route => route.fulfill({ status: 404, json: { code: '9900' } }));
  await page.goto(`${testStack().url}/#/th/get-started`);
  await expect(page.getByRole('heading', { level: 1, name: say('en')('plans.title') })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
});

const named = [
  ['kh', 'ថៃ', 'Noto Sans Khmer'],
  // Where DejaVu is installed, which has Lao letters, it draws the Latin fallback font's text.
  ['la', 'ໄທ', undefined],
  ['mm', 'ထိုင်း', 'Noto Sans Myanmar'],
  ['jp', 'タイ', undefined],
] as const;

for (const [language, country, font] of variants(named, 1)) {
  test(`The country of a place is named in ${language}, also in a browser without names of countries, in a font of its own that fits`, async ({
    page,
  }) => {
    const t = say(language);
    await page.goto(`${testStack().url}/#/${language}/order?plan=solo&cycle=1`);
    await expect(
      page.getByText(t('order.place.only', { place: `${t('region.th-bkk')}, ${country}` })),
    ).toBeVisible();
    // The shop's font of the script draws the name, and nothing overflows a phone.
    const fonts = () =>
      page.evaluate<string[]>(
        `[...document.fonts].filter(each => each.status === 'loaded').map(each => each.family.replaceAll('"', ''))`,
      );
    if (font) await expect.poll(fonts).toContain(font);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await overflow(page)).toEqual([]);
  });
}

test('Form fields stay when the language changes', { tag: '@soak' }, async ({ page }) => {
  const t = say('en');
  await page.goto(`${testStack().url}/#/en/auth/sign-up`);
  await page.getByLabel(t('login.email')).fill('typed@example.com');
  await page.getByRole('button', { name: t('nav.language') }).click();
  await page.getByRole('menuitemradio', { name: 'ไทย' }).click();
  const thai = say('th');
  await expect(page.getByRole('heading', { level: 1, name: thai('signUp.title') })).toBeVisible();
  await expect(page.getByLabel(thai('login.email'))).toHaveValue('typed@example.com');
});

test('Texts that did not arrive are requested again by choosing the language again', {
  tag: '@soak',
}, async ({ page }) => {
  const t = say('en');
  await page.goto(`${testStack().url}/#/en/get-started`);
  await expect(page.getByRole('heading', { level: 1, name: t('plans.title') })).toBeVisible();
  await page.route('**/uiText/**', route => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }));
  const choose = async () => {
    await page.getByRole('button', { name: t('nav.language') }).click();
    await page.getByRole('menuitemradio', { name: 'ไทย' }).click();
  };
  await choose();
  await expect(page.getByText(t('errorCode.9901'))).toBeVisible();
  await page.unrouteAll();
  await choose();
  await expect(page.getByRole('heading', { level: 1, name: say('th')('plans.title') })).toBeVisible();
});

test('A customer lands after login at the screen they wanted, in the language chosen there', {
  tag: '@soak',
}, async ({ page }) => {
  const { email, account } = await becomeMember(page);
  await page.evaluate('localStorage.clear()');
  await page.goto('about:blank');
  await page.goto(`${testStack().url}/#/en/management/billing`);
  await expect(account.loginTitle).toBeVisible();
  await page.getByRole('button', { name: say('en')('nav.language') }).click();
  await page.getByRole('menuitemradio', { name: 'ไทย' }).click();
  const thai = accountScreens(page, say('th'), 'th');
  await expect(page.getByText(say('th')('login.over'))).toBeVisible();
  await thai.email.fill(email);
  await thai.logIn();
  await expect(page).toHaveURL(/#\/th\/management\/billing$/);
  // Emails use the page's language as well.
  const token = (await page.evaluate(() => localStorage.getItem('token')))!;
  const { auth } = createClient(testStack().url, token);
  await expect.poll(async () => (await auth.profile()).data?.language).toBe('th');
});

test('A customer who logs in on a page in a language that they did not choose gets emails in the previous one', {
  tag: '@soak',
}, async ({ page }) => {
  const { email } = await becomeMember(page);
  await page.evaluate('localStorage.clear()');
  await page.goto('about:blank');
  const thai = accountScreens(page, say('th'), 'th');
  await thai.openLogin();
  await thai.email.fill(email);
  await thai.logIn();
  await expect(thai.overview).toBeVisible();
  await thai.openAccount();
  await expect(page.getByText(say('th')('account.since'))).toBeVisible();
  const token = (await page.evaluate(() => localStorage.getItem('token')))!;
  expect((await createClient(testStack().url, token).auth.profile()).data?.language).toBe('en');
});

test('SP17 a path without a language asks for no texts but English ones, and every call for English', async ({
  page,
}) => {
  const asked: string[] = [];
  const failed: string[] = [];
  page.on('request', request => {
    const { pathname, search } = new URL(request.url());
    if (!pathname.startsWith('/v1/')) return;
    asked.push(`${request.headers()['accept-language']} ${pathname}${search}`);
  });
  page.on('response', response => {
    if (response.status() >= 400) failed.push(response.url());
  });
  await page.goto(`${testStack().url}/#/get-started`);
  await expect(page.getByRole('article').first()).toBeVisible();
  expect(failed).toEqual([]);
  expect(asked.length).toBeGreaterThan(1);
  for (const each of asked) expect(each).toMatch(/^en /);
  expect(asked.filter(each => each.includes('uiText'))).toEqual(['en /v1/uiText/lang?lang=en']);
});

test('SP17 a reload after a text has changed shows the new text and never the old one', async ({ page }) => {
  await page.goto(`${testStack().url}/#/en/get-started`);
  await expect(page.getByRole('article').first()).toBeVisible();
  // As if the operator had changed the text since.
  await page.evaluate(() => {
    const { uiText } = JSON.parse(localStorage.getItem('uiText.en')!);
    const old = { version: 'before', uiText: { ...uiText, 'plans.title': 'An old title' } };
    localStorage.setItem('uiText.en', JSON.stringify(old));
  });
  await page.addInitScript(`
    new MutationObserver(() => {
      if (document.body?.textContent.includes('An old title')) window.sawOld = true;
    }).observe(document, { childList: true, characterData: true, subtree: true });
  `);
  await page.reload();
  await expect(page.getByRole('article').first()).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: say('en')('plans.title') })).toBeVisible();
  expect(await page.evaluate('window.sawOld')).toBeUndefined();
});
