import { variants } from '@fixpoint/testkit/test-gate.ts';
import { expect, type Page, test } from '@playwright/test';
import { countCharges } from '../charges.ts';
import { becomeMember } from '../customer.ts';
import { testStack } from '../env.ts';
import { freshAddress, passwordLink } from '../mailbox.ts';
import { accountScreens, PASSWORD } from '../screens/account.ts';
import { orderScreen } from '../screens/order.ts';
import { successScreen } from '../screens/success.ts';
import { say } from '../texts.ts';

const t = say('en');
const phone = { width: 390, height: 844 };

/** A row of the summary: product, place, price now and later. */
const row = (page: Page, term: string) =>
  page.getByRole('term').filter({ hasText: term }).locator('xpath=..');

for (const language of variants(['en', 'mm'] as const, 1)) {
  const say_ = say(language);

  test(`FU15 the order has its own frame with logo, help and language; the amount and Pay stay in reach (${language})`, async ({
    page,
  }) => {
    await page.setViewportSize(phone);
    const order = orderScreen(page, say_, language);
    await order.open('plus', 12);
    await expect(order.payButton).toBeInViewport();
    await expect(order.payButton).toContainText('2,566.00');
    const bar = page.getByRole('banner');
    await expect(bar.getByRole('link')).toHaveCount(1);
    await expect(bar.getByRole('button', { name: say_('support.help') })).toBeVisible();
    await expect(bar.getByRole('button', { name: say_('nav.language') })).toBeVisible();
    expect((await bar.boundingBox())?.height, 'all of it in one line').toBeLessThan(90);
    await page.getByLabel(say_('order.terms')).focus();
    await expect(page.getByLabel(say_('order.terms'))).toBeInViewport();
    const footer = page.getByRole('contentinfo');
    // The footer of every page of the shop.
    await expect(footer).toContainText(say_('footer.version', { version: '1.1.208-20250909' }));
    for (const key of ['footer.about', 'footer.terms', 'footer.privacy'])
      await expect(footer.getByRole('button', { name: say_(key), exact: true })).toBeVisible();
    for (const key of ['nav.pricing', 'nav.downloads', 'footer.tutorial', 'plans.faq', 'footer.contactUs'])
      await expect(footer.getByRole('link', { name: say_(key), exact: true })).toBeVisible();
  });
}

test('FU15 the form keeps its fields through help, another language, a reload, another plan and going back, except the card', async ({
  page,
}) => {
  const email = freshAddress();
  const th = say('th');
  const order = orderScreen(page, t);
  const inThai = orderScreen(page, th, 'th');
  await order.open('plus', 12);
  await order.email.fill(email);
  await order.fillCard('4242424242424242');

  await page.getByRole('button', { name: t('support.help') }).click();
  const help = page.getByRole('region', { name: t('support.help') });
  await expect(help.getByText(t('plans.faq.cancel.question'))).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();
  await expect(order.email).toHaveValue(email);
  await expect(order.cardNumber).toHaveValue(/4242$/);

  await page.getByRole('button', { name: t('nav.language') }).click();
  await page.getByRole('menuitemradio', { name: 'ไทย' }).click();
  await expect(inThai.email).toHaveValue(email);

  await page.reload();
  await expect(inThai.email).toHaveValue(email);
  await inThai.cardReady();
  await expect(inThai.cardNumber).toHaveValue('');

  await page.getByRole('banner').getByRole('link').click();
  await page.getByRole('link', { name: th('plans.choose', { plan: 'Team' }) }).click();
  await expect(inThai.payButton).toContainText('5,452.00');
  await expect(inThai.email).toHaveValue(email);
  await page.goBack();
  await page.goForward();
  await expect(inThai.email).toHaveValue(email);
  const kept = await page.evaluate<string>('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])');
  expect(kept).not.toContain('4242');
});

test('FU15 in a low window Pay sticks in sight beside the form @soak', async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 600 });
  const order = orderScreen(page, t);
  await order.open('plus', 12);
  await expect(order.payButton).toContainText('2,566.00');
  await order.cardReady();
  await page.evaluate('window.scrollTo(0, 500)');
  await expect(order.payButton).toBeInViewport({ ratio: 1 });
});

test('FU15 a plan changed on the page is still there after a reload', { tag: '@soak' }, async ({ page }) => {
  const order = orderScreen(page, t);
  await order.open('solo', 1);
  await page.getByRole('button', { name: t('order.plan.change') }).click();
  await page.getByRole('radio', { name: t('plans.name.team') }).check();
  await expect(order.payButton).toContainText('THB 699.00');
  await page.reload();
  await expect(order.payButton).toContainText('THB 699.00');
});

test('FU9 FU20 U58 a new order shows its steps, its places, and that the payment is safe and refundable', async ({
  page,
}) => {
  const order = orderScreen(page, t);
  await order.open();
  await test.step("U58 exactly one step is the current one, and the buyer's step is checked once it is filled in", async () => {
    const current = page.locator('[aria-current=step]');
    await expect(current.getByRole('heading')).toHaveText(
      `${t('order.email.title')}(${t('order.step.current')})`,
    );
    await order.email.fill(freshAddress());
    await expect(current.getByRole('heading')).toHaveText(
      `${t('order.payment.title')}(${t('order.step.current')})`,
    );
    await expect(page.getByRole('heading', { name: t('order.email.title') })).toContainText(
      t('order.step.done'),
    );
  });
  await test.step('FU20 places without a free address are folded, and a customer can ask for one', async () => {
    // No choice is drawn where there is none.
    await expect(page.getByText(t('order.place.only', { place: 'Bangkok, Thailand' }))).toBeVisible();
    await expect(page.locator('input[name=region]')).toHaveCount(0);
    await page.getByText('2 more locations').click();
    await expect(page.getByText('Singapore', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: t('place.notify.label', { place: 'Tokyo' }) }).click();
    const dialog = page.getByRole('dialog');
    // The form in the dialog is not the order's: the order keeps its errors to itself.
    await dialog.getByRole('button', { name: t('place.notify'), exact: true }).click();
    await expect(dialog.getByText(t('form.email.required'))).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(page.getByText(t('form.email.required'))).toHaveCount(0);
  });
  await test.step('FU9 the text under Pay says once that the payment is safe and how it is refunded', async () => {
    await expect(page.getByText(t('order.secure'))).toBeVisible();
    await expect(page.getByText(t('refund.none'))).toBeVisible();
    await expect(page.getByText(t('order.payment.lead'))).toHaveCount(0);
  });
});

test('FU6 a mistyped address gets a suggestion, and one press corrects it', { tag: '@soak' }, async ({
  page,
}) => {
  const order = orderScreen(page, t);
  await order.open();
  await order.email.fill('anna@gmial.com');
  await order.email.blur();
  await page.getByRole('button', { name: t('order.email.meant', { email: 'anna@gmail.com' }) }).click();
  await expect(order.email).toHaveValue('anna@gmail.com');
  await page.reload();
  await expect(order.email).toHaveValue('anna@gmail.com');
  // An unusual address gets none.
  await order.email.fill('anna@mail.com');
  await order.email.blur();
  await expect(page.getByText(t('order.email.hint'))).toBeVisible();
});

test("FU12 the summary shows the place in one line, and the first year's discount as an amount", async ({
  page,
}) => {
  const order = orderScreen(page, t);
  await order.open('plus', 12);
  await expect(row(page, t('order.place.title'))).toContainText('Bangkok');
  await expect(row(page, t('order.place.title'))).toContainText('At Demo rack, run by Fixpoint');
  await expect(row(page, t('order.summary.regular'))).toContainText('THB 3,158.00');
  await expect(row(page, t('plans.firstYear'))).toContainText('−THB 592.00');
  await expect(row(page, t('order.summary.total'))).toContainText('THB 2,566.00');
  await page.goto('about:blank');
  await order.open('plus', 3);
  await expect(order.payButton).toContainText('THB 938.00');
  await expect(page.getByText(t('order.summary.regular'))).toHaveCount(0);
});

test('FU19 the button says that it pays, under one headline up to success', { tag: '@soak' }, async ({
  page,
}) => {
  const order = orderScreen(page, t);
  await order.open('plus', 12);
  await order.fill(freshAddress());
  await page.evaluate(`
    window.headlines = [];
    new MutationObserver(() => {
      const shown = [...document.querySelectorAll('main :is(h1, h2)')].filter(each => each.checkVisibility())[0];
      if (shown && window.headlines.at(-1) !== shown.textContent) window.headlines.push(shown.textContent);
    }).observe(document.body, { childList: true, subtree: true, attributes: true });
  `);
  await order.pay();
  await expect(
    page.getByRole('button', { name: t('order.paying', { amount: 'THB 2,566.00' }) }),
  ).toBeVisible();
  await successScreen(page, t).isShown();
  const headlines = await page.evaluate<string[]>('window.headlines');
  expect(headlines.filter(each => each !== t('order.title'))).toEqual([t('success.title')]);
});

test('FU24 a customer who logs in from the order returns to it with the plan', async ({ page }) => {
  const { email, account } = await becomeMember(page);
  await page.evaluate(`localStorage.removeItem('token');
    dispatchEvent(new StorageEvent('storage', { key: 'token', newValue: null }))`);
  await expect(account.loginTitle).toBeVisible();
  const order = orderScreen(page, t);
  await order.open('team', 12);
  await page
    .getByRole('main')
    .getByRole('link', { name: t('nav.login') })
    .click();
  // The order has a field with the same name.
  await expect(account.loginTitle).toBeVisible();
  await account.email.fill(email);
  await account.logIn(PASSWORD);
  await expect(order.payButton).toContainText('THB 5,452.00');
  await expect(page.getByText(t('order.email.customer', { email }))).toBeVisible();
});

test('FU24 the order in a second window is the same order, and is charged once', async ({
  page,
  context,
}) => {
  const email = freshAddress();
  const order = orderScreen(page, t);
  const second = await context.newPage();
  const charges = countCharges(page, second);
  await order.open();
  await order.fill(email, '4000000000000002');
  await order.pay();
  await expect(order.problem).toBeVisible();
  await second.goto(page.url());
  const same = orderScreen(second, t);
  await expect(same.email).toHaveValue(email);
  await same.fillCard('4242424242424242');
  await same.agree();
  await same.pay();
  await successScreen(second, t).isShown();
  await page.reload();
  await successScreen(page, t).isShown();
  expect(await charges()).toHaveLength(1);
});

for (const language of ['en', 'kh'] as const) {
  test(`FU24 an order unknown to this browser shows no thanks, and leads on (${language})`, {
    tag: '@soak',
  }, async ({ page }) => {
    const words = say(language);
    for (const path of ['success', 'success?order=0f0f0f0f', 'order?order=0f0f0f0f']) {
      await page.goto('about:blank');
      await page.goto(`${testStack().url}/#/${language}/${path}`);
      await expect(page.getByRole('heading', { name: words('order.unknown.title') })).toBeVisible();
      await expect(page.getByText(words('success.title'))).toHaveCount(0);
      await expect(page.getByRole('textbox')).toHaveCount(0);
    }
    await page
      .getByRole('main')
      .getByRole('link', { name: words('home.start') })
      .click();
    await expect(page.getByRole('heading', { level: 1, name: words('plans.title') })).toBeVisible();
  });
}

test('FU13 the struck-through price and the stated saving agree with the monthly price', {
  tag: '@soak',
}, async ({ page }) => {
  await page.goto(`${testStack().url}/#/en/get-started`);
  const solo = page.getByRole('article').filter({ hasText: t('plans.name.solo') });
  await expect(solo).toContainText('THB 199.00');
  await expect(solo).toContainText('THB 129.33');
  const said = await page
    .getByRole('radio', { name: t('plans.cycle.12') })
    .locator('xpath=..')
    .textContent();
  expect(said).toContain(`${Math.round((1 - 129.33 / 199) * 100)}%`);
  const framed = page.getByRole('article').filter({ hasText: t('plans.pick') });
  await expect(framed).toHaveCount(1);
  await expect(framed).toContainText(t('plans.for.plus'));
  await page.getByRole('radio', { name: t('plans.cycle.1'), exact: true }).check();
  await expect(solo.locator('s')).toHaveCount(0);
});

for (const language of variants(['en', 'jp'] as const, 1)) {
  test(`FU6 the email can be sent again, and to a corrected address (${language})`, async ({ page }) => {
    const words = say(language);
    const order = orderScreen(page, words, language);
    const [wrong, meant] = [freshAddress(), freshAddress()];
    await order.open();
    await order.fill(wrong);
    await order.pay();
    await successScreen(page, words).isShown();
    const again = page.getByRole('button', { name: words('success.again') });
    await expect(again).toBeDisabled();
    await expect(again).toContainText(/0:\d\d/);
    await page.getByRole('button', { name: words('success.change'), exact: true }).click();
    const field = page.getByLabel(words('success.change.label'));
    await expect(field).toBeFocused();
    await field.fill(meant);
    await page.getByRole('button', { name: words('success.change.submit') }).click();
    await expect(page.getByText(words('success.changed', { email: meant }))).toBeVisible();
    await page.reload();
    await expect(page.getByRole('status').filter({ hasText: meant })).toBeVisible();
    await expect(again).toBeDisabled();
    await accountScreens(page, words, language).setPassword(await passwordLink(meant));
  });
}

for (const language of variants(['en', 'kh'] as const, 1)) {
  test(`FU23 a card field shows its focus, and its error before anything is sent (${language})`, async ({
    page,
  }) => {
    const words = say(language);
    const order = orderScreen(page, words, language);
    const box = order.payDocument.locator('#card-number').locator('xpath=..');
    await order.open();
    await order.cardReady();
    await order.cardNumber.focus();
    await expect(box).toHaveCSS('outline-style', 'solid');
    await order.cardNumber.pressSequentially('4242');
    await expect(order.payDocument.getByText(words('order.card.number.invalid'))).toHaveCount(0);
    await order.fillCard('4242424242424241', '01/20');
    await order.email.focus();
    await expect(box).toHaveCSS('outline-style', 'none');
    await expect(order.payDocument.getByText(words('order.card.number.invalid'))).toBeVisible();
    await expect(order.payDocument.getByText(words('form.cardExpiry.past'))).toBeVisible();
    await order.fillCard('4242424242424242');
    await expect(order.payDocument.getByText(words('order.card.number.invalid'))).toBeHidden();
    await expect(order.payDocument.getByText(words('form.cardExpiry.past'))).toBeHidden();
  });

  test(`FU26 a rate limit says when it ends, in the snack and beside Pay (${language})`, {
    tag: '@soak',
  }, async ({ page }) => {
    const words = say(language);
    const order = orderScreen(page, words, language);
    await page.route('**/v1/order/purchase', route =>
      route.fulfill({
        status: 429,
        headers: { 'Retry-After': '3600' },
        json: { code: '9905', message: 'refused', data: {} },
      }),
    );
    await order.open();
    await order.fill(freshAddress());
    await order.pay();
    // First the snack, which disappears by itself.
    await expect(page.getByRole('alert').filter({ hasText: '9905' })).toContainText(/\d\d:\d\d GMT\+7/);
    await expect(order.problem).toContainText(/\d\d:\d\d GMT\+7/);
  });
}
