import { variants } from '@fixpoint/testkit/test-gate.ts';
import { expect, type Route, test } from '@playwright/test';
import { delayAnswer, delayRequest, dropAnswer, forbidStorage, untilIdle } from '../blocked.ts';
import { countCharges } from '../charges.ts';
import { buyAsGuest } from '../customer.ts';
import { testStack } from '../env.ts';
import { emailedCode, freshAddress, passwordLink } from '../mailbox.ts';
import { accountScreens, NEW_PASSWORD, PASSWORD } from '../screens/account.ts';
import { cards, orderScreen } from '../screens/order.ts';
import { successScreen } from '../screens/success.ts';
import { say } from '../texts.ts';

// An answer on its way when a test ends must not fail it.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }));

const t = say('en');

/** Call that reads the order's state. */
const standing = '**/v1/order/purchaseData';

/** Lets the card pay, but drops the answers about the order. */
const loseOutcome = (route: Route): Promise<void> =>
  route.request().postDataJSON().card ? route.continue() : route.abort();

test('A page reloaded after a decline continues with the same order', { tag: '@soak' }, async ({ page }) => {
  const email = freshAddress();
  const order = orderScreen(page, t);
  const charges = countCharges(page);
  await order.open();
  await order.fill(email, cards.declined);
  await order.pay();
  await expect(order.problem).toBeVisible();
  const address = page.url();
  await page.reload();
  await expect(order.email).toHaveValue(email);
  // The terms were accepted for this order and have not changed.
  await expect(order.terms).toBeChecked();
  await order.fillCard(cards.good);
  await order.pay();
  await successScreen(page, t).isShown();
  expect(new URL(page.url()).hash.split('order=')[1]).toBe(address.split('order=')[1]);
  expect(await charges()).toHaveLength(1);
});

test('A page reloaded while the bank asks lets the order be paid once, and then calls nobody back', async ({
  page,
}) => {
  const order = orderScreen(page, t);
  const charges = countCharges(page);
  await order.open();
  await order.fill(freshAddress(), cards.needsConfirmation);
  await order.pay();
  await expect(order.question).toBeVisible();
  await page.reload();
  await expect(page.getByText(t('order.unfinished'))).toBeVisible();
  await order.fillCard(cards.needsConfirmation);
  await order.agree();
  await order.pay();
  await expect(order.question).toBeVisible();
  const confirmed = '**/v1/order/confirmPurchase';
  const release = await delayAnswer(page, confirmed);
  await order.answerBank('complete');
  // The live connection is faster than the answer, and so is the customer.
  await successScreen(page, t).isShown();
  expect(await charges()).toHaveLength(1);
  await page.goto(`${testStack().url}/#/en/get-started`);
  const plans = page.getByRole('heading', { level: 1, name: t('plans.title') });
  await expect(plans).toBeVisible();
  const answered = page.waitForResponse(confirmed);
  release();
  await answered;
  await untilIdle(page);
  await expect(page).toHaveURL(/get-started/);
  await expect(plans).toBeVisible();
});

test('A page without a live connection and without an answer learns the outcome over HTTP', {
  tag: '@soak',
}, async ({ page }) => {
  await page.routeWebSocket(/\/soc\/socket\.io\//, socket => socket.close());
  await page.route('**/v1/order/confirmPurchase', loseOutcome);
  await page.route(standing, route => route.abort());
  const order = orderScreen(page, t);
  const charges = countCharges(page);
  await order.open();
  await order.fill(freshAddress());
  await order.pay();
  await expect(page.getByText(t('order.processing.text'))).toBeVisible();
  await page.unroute(standing);
  await successScreen(page, t).isShown();
  expect(await charges()).toHaveLength(1);
});

test('U60 a page closed during the payment check, after the notice that it takes long, opens with the paid order @soak', async ({
  page,
}) => {
  await page.clock.install();
  await page.routeWebSocket(/\/soc\/socket\.io\//, socket => socket.close());
  await page.route('**/v1/order/confirmPurchase', loseOutcome);
  await page.route(standing, route => route.abort());
  const order = orderScreen(page, t);
  await order.open();
  await order.fill(freshAddress());
  await order.pay();
  await expect(page.getByText(t('order.processing.text'))).toBeVisible();
  await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
  await page.clock.fastForward('00:21');
  await expect(page.getByText(t('order.processing.long'))).toBeVisible();
  await page.unrouteAll();
  await page.reload();
  await successScreen(page, t).isShown();
});

const looks = [
  ['en', { width: 1280, height: 900 }],
  ['th', { width: 390, height: 844 }],
] as const;

for (const [language, viewport] of variants(looks, 1)) {
  test.describe(`the way back, ${viewport.width} px wide`, () => {
    test.use({ viewport });
    const words = say(language);

    test(`U57 going back before paying, while the bank asks, after a decline and after paying loses no input and pays nothing twice (${language})`, async ({
      page,
    }) => {
      const email = freshAddress();
      const order = orderScreen(page, words, language);
      const success = successScreen(page, words);
      const charges = countCharges(page);
      const plans = page.getByRole('heading', { level: 1, name: words('plans.title') });
      const backAndForward = async () => {
        await page.goBack();
        await expect(plans).toBeVisible();
        await page.goForward();
      };
      await page.goto(`${testStack().url}/#/${language}/get-started`);
      await page.getByRole('link', { name: words('plans.choose', { plan: 'Solo' }) }).click();
      await order.email.fill(email);
      await backAndForward();
      await expect(order.email).toHaveValue(email);

      await order.fillCard(cards.needsConfirmation);
      await order.agree();
      await order.pay();
      await expect(order.question).toBeVisible();
      await page.goBack();
      await expect(plans).toBeVisible();
      // The call was ended by leaving: nothing was unreachable.
      await expect(order.snack('9901')).toHaveCount(0);
      await page.goForward();
      await expect(page.getByText(words('order.unfinished'))).toBeVisible();
      await expect(order.email).toHaveValue(email);

      await order.fillCard(cards.declined);
      await order.agree();
      await order.pay();
      await expect(order.problem).toContainText(words('errorCode.2002'));
      await backAndForward();
      await expect(order.problem).toContainText(words('errorCode.2002'));
      await expect(order.email).toHaveValue(email);
      expect(await charges()).toHaveLength(0);

      await order.fillCard(cards.good);
      await order.agree();
      await order.pay();
      await success.isShown();
      // The payment page has left the history: neither back nor forward reaches it.
      await backAndForward();
      await success.isShown();
      // Nor does its address from a bookmark.
      await page.goto(page.url().replace('/success', '/order'));
      await success.isShown();
      expect(await charges()).toHaveLength(1);
    });
  });
}

test('U45 without a connection the page says that Pay has to be pressed again, and means it', async ({
  page,
}) => {
  const order = orderScreen(page, t);
  const charges = countCharges(page);
  await order.open();
  const email = freshAddress();
  await order.fill(email);
  await order.mayPay();
  await page.context().setOffline(true);
  await order.pay();
  const notice = page.getByRole('alert').filter({ hasText: t('order.offline') });
  await expect(notice).toBeInViewport();
  await page.context().setOffline(false);
  await expect(notice).toHaveCount(0);
  await expect(order.email).toHaveValue(email);
  await order.pay();
  await successScreen(page, t).isShown();
  expect(await charges()).toHaveLength(1);
});

test('A customer who goes back while paying sees that the order is paid', { tag: '@soak' }, async ({
  page,
}) => {
  const order = orderScreen(page, t);
  const charges = countCharges(page);
  // Neither a live event nor a poll is to say first that the order is paid.
  await page.routeWebSocket(/\/soc\/socket\.io\//, () => {});
  await page.goto(`${testStack().url}/#/en/get-started`);
  await page.getByRole('link', { name: t('plans.choose', { plan: 'Solo' }) }).click();
  await order.fill(freshAddress());
  const release = await delayAnswer(page, '**/v1/order/confirmPurchase');
  const releaseStatus = await delayRequest(page, '**/v1/order/purchaseData');
  const confirming = page.waitForRequest('**/v1/order/confirmPurchase');
  await order.pay();
  await confirming;
  await expect.poll(async () => (await charges()).length).toBe(1);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: t('plans.title') })).toBeVisible();
  release();
  releaseStatus();
  await successScreen(page, t).isShown();
  await page.goForward();
  await successScreen(page, t).isShown();
  expect(await charges()).toHaveLength(1);
});

test('While the host is being prepared, the page says that nobody has to wait', { tag: '@soak' }, async ({
  page,
}) => {
  await page.route('**/v1/order/purchaseData', async route => {
    const response = await route.fetch();
    const answer = await response.json();
    if (answer.data.subscription) {
      answer.data.subscription = { id: answer.data.subscription.id, status: 'provisioning' };
    }
    await route.fulfill({ response, json: answer });
  });
  const order = orderScreen(page, t);
  await order.open();
  await order.fill(freshAddress());
  await order.pay();
  await successScreen(page, t).isShown();
  await expect(page.getByText(t('success.preparing'))).toBeVisible();
  // The page keeps polling; a request in progress must not outlive the test.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('On a phone the text of the waiting page is in view, and so is a decline after it', {
  tag: '@soak',
}, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 700 });
  await page.routeWebSocket(/\/soc\/socket\.io\//, socket => socket.close());
  let answer: (() => void) | undefined;
  await page.route('**/v1/order/confirmPurchase', async route => {
    if (route.request().postDataJSON().card) return route.abort();
    await new Promise<void>(resolve => {
      answer = resolve;
    });
    await route.fulfill({ status: 400, json: { code: '2002' } });
  });
  const order = orderScreen(page, t);
  await order.open();
  await order.fill(freshAddress());
  await order.pay();
  await expect(page.getByText(t('order.processing.title'))).toBeInViewport();
  await expect(page.getByText(t('order.processing.text'))).toBeInViewport();
  answer!();
  await expect(order.problem).toBeInViewport();
});

test('A customer who returns while the shop does not answer finds the form as it was', {
  tag: '@soak',
}, async ({ page }) => {
  await page.clock.install();
  const order = orderScreen(page, t);
  await order.open();
  await order.fill('typed@example.com');
  let asked = 0;
  await page.route(/getAllPlan|getVendor/, route => {
    asked += 1;
    return route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' });
  });
  await page.clock.fastForward('01:00');
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
  // Both requests give up after the third pause.
  await expect
    .poll(async () => {
      await page.clock.fastForward(4000);
      return asked;
    })
    .toBe(8);
  await page.clock.fastForward(1000);
  await expect(order.email).toHaveValue('typed@example.com');
});

test('A browser without storage still shows the paid order', { tag: '@soak' }, async ({ page }) => {
  await forbidStorage(page);
  const order = orderScreen(page, t);
  await order.open();
  await order.fill(freshAddress());
  await order.pay();
  await successScreen(page, t).isShown();
  await expect(successScreen(page, t).address).toBeVisible();
});

test('The button waits for the terms, so that no press is lost', { tag: '@soak' }, async ({ page }) => {
  const release = await delayRequest(page, '**/getTerm*');
  const order = orderScreen(page, t);
  await order.open();
  await order.fill(freshAddress());
  await expect(order.payButton).toHaveAttribute('aria-busy', 'true');
  release();
  await order.pay();
  await successScreen(page, t).isShown();
});

test('A card that did not reach the provider is reported, and the next press pays once', {
  tag: '@soak',
}, async ({ page }) => {
  const order = orderScreen(page, t);
  const charges = countCharges(page);
  const email = freshAddress();
  await order.open();
  await order.fill(email);
  const provider = /\/v1\/payment_methods/;
  await page.route(provider, route => route.abort());
  await order.pay();
  await expect(order.problem).toContainText(t('errorCode.9901'));
  await expect(order.email).toHaveValue(email);
  await page.unroute(provider);
  await order.pay();
  await successScreen(page, t).isShown();
  expect(await charges()).toHaveLength(1);
});

test('A first password whose answer was lost is set: the same password logs in next, another one shows the way', {
  tag: '@soak',
}, async ({ page }) => {
  await page.goto(await passwordLink(await buyAsGuest()));
  const account = accountScreens(page, t);
  await dropAnswer(page, '**/v1/auth/setPassword');
  await account.fillNewPassword(PASSWORD);
  await account.saveNewPassword();
  await expect(page.getByText(t('errorCode.9901'))).toBeVisible();
  await account.fillNewPassword(NEW_PASSWORD);
  await account.saveNewPassword();
  await expect(page.getByRole('main').getByText(t('errorCode.8003'))).toBeVisible();
  await expect(page.getByRole('link', { name: t('setPassword.invalid.action') })).toBeVisible();
  await account.fillNewPassword(PASSWORD);
  await account.saveNewPassword();
  await expect(page).toHaveURL(/\/management\/subscription\/sub_/);
});

test('A sign-up whose answer was lost has created the account: the same code logs in at the next press', {
  tag: '@soak',
}, async ({ page }) => {
  const email = freshAddress();
  const account = accountScreens(page, t);
  await account.openSignUp();
  await account.signUp(email);
  await dropAnswer(page, '**/v1/customer/verifyUser');
  await account.code.fill(await emailedCode(email));
  await expect(page.getByText(t('errorCode.9901'))).toBeVisible();
  await page.getByRole('button', { name: t('code.submit') }).click();
  await expect(account.welcome).toBeVisible();
  await account.openOverview();
  await expect(account.overview).toBeVisible();
});
