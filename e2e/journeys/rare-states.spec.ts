import { formatDate, formatMoney } from '@fixpoint/texts/format.ts';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { textViolations } from '../axe.ts';
import { testStack } from '../env.ts';
import { overflow } from '../overflow.ts';
import { upgradeScreen } from '../screens/upgrade.ts';
import { type Answers, type Data, ended, inDays, pastDue, showAs } from '../shown-as.ts';
import { say } from '../texts.ts';
import { type Guide, openWindow, prepareGuide } from '../tour.ts';

/* Texts in states that take days to come about (shown-as.ts), and texts before a customer confirms something. */

const t = say('en');
const th = say('th');
const day = (instant: string) => formatDate((key, values) => t(key, values as never), new Date(instant));
const THB = (minor: number) => formatMoney(minor, 'THB', 'en');
/** Sizes of the elements as drawn. */
const boxes = async (all: Locator) =>
  Promise.all((await all.all()).map(async each => (await each.boundingBox()) ?? { width: 0, height: 0 }));
const phone = { width: 390, height: 844 };

// All tests share one customer.
test.describe.configure({ mode: 'default' });

let guide: Guide;
test.beforeAll(async () => {
  guide = await prepareGuide(testStack());
});

/** Reopens a screen of the account with changed answers of the shop. */
async function open(page: Page, path: string, answers: Answers, language = 'en'): Promise<void> {
  await page.goto('about:blank');
  await showAs(page, answers);
  await page.goto(`${guide.url}/#/${language}/${path}`);
}

const inWindow = test.extend<{ page: Page }>({
  page: async ({ context }, use) => use(await openWindow(context, guide, true)),
});

inWindow('T6 the pages state the consequences of an unpaid renewal, as the emails do', async ({ page }) => {
  const path = `management/subscription/${guide.subscriptionId}`;
  const main = page.getByRole('main');
  const amount = THB(329_00);
  const [next, last] = [inDays(2), inDays(6)];
  const payNow = main.getByRole('button', { name: t('renewal.payNow').split('{')[0]!.trim() });
  const failed = t('subscription.status.pastDue');
  const stands: {
    says: Parameters<typeof pastDue>[0];
    text: string;
    status: string;
    again: number;
    by?: Parameters<typeof pastDue>[1];
  }[] = [
    {
      says: { nextTryAt: next },
      text: t('renewal.owed.again', { amount, date: day(next) }),
      status: failed,
      again: 1,
    },
    {
      says: { nextTryAt: last },
      text: t('renewal.owed.last', { amount, date: day(last) }),
      status: failed,
      again: 1,
    },
    {
      says: { stopped: 'confirm' },
      text: t('renewal.owed.confirm', { amount, date: day(last) }),
      status: failed,
      again: 1,
    },
    // A method that would be declined again is not offered.
    {
      says: { stopped: 'refused' },
      text: t('renewal.owed.refused', { amount, date: day(last) }),
      status: failed,
      again: 0,
    },
    // A customer who has paid is not asked to pay.
    {
      says: { onItsWay: true },
      text: t('renewal.owed.onItsWay', { amount }),
      status: t('subscription.status.active'),
      again: 0,
      by: { byHand: true, status: 'active' },
    },
    // Nor do they read that their card failed before.
    {
      says: { onItsWay: true, nextTryAt: next },
      text: t('renewal.owed.onItsWay', { amount }),
      status: t('subscription.status.active'),
      again: 0,
    },
    // With manual renewal no charge was tried.
    {
      says: {},
      text: t('renewal.owed', { amount, date: day(last) }),
      status: t('subscription.status.due'),
      again: 1,
      by: { byHand: true, history: [{ at: inDays(0), event: 'due' }] },
    },
  ];
  for (const { says, text, status, again, by } of stands) {
    const state = pastDue({ until: last, ...says }, by);
    await open(page, path, {
      getSubscription: state,
      mySubscription: list => ({ ...list, items: list.items.map(state) }),
    });
    await expect(main.getByText(text)).toBeVisible();
    await expect(main.getByText(status, { exact: true })).toBeVisible();
    await expect(payNow).toHaveCount(again);
    await page.goto(`${guide.url}/#/en/management/dashboard`);
    await expect(main.getByRole('heading', { level: 1, name: t('nav.overview') })).toBeVisible();
    await expect(main.getByText(text)).toBeVisible();
    await expect(main.getByText(status, { exact: true })).toBeVisible();
    await expect(main.getByText(t('payment.due'), { exact: true })).toHaveCount(says.onItsWay ? 0 : 1);
  }
  await page.goto(`${guide.url}/#/en/${path}`);
  await expect(main.getByText(t('history.due'))).toBeVisible();
  await expect(main.getByText(t('history.miss'))).toHaveCount(0);
  await page.goto(`${guide.url}/#/en/${path}/pay`);
  await expect(main.getByRole('heading', { level: 1, name: t('order.payment.title') })).toBeVisible();
  await expect(main.getByText(t('renewal.owed', { amount, date: day(last) }))).toBeVisible();
});

inWindow(
  'losses, credit and the new address of a change are shown before the customer confirms it',
  async ({ page }) => {
    const path = `management/subscription/${guide.subscriptionId}`;
    const upgrade = upgradeScreen(page, t);
    let offered: Data<'getData'> | undefined;
    await open(page, `${path}/upgrade`, {
      getData(offer) {
        offered = offer;
        const change = offer.change!;
        const now = change.now && { ...change.now, rest: 12_00 };
        const losses = { surplusKeys: ['Laptop', 'Phone'], liftedLimits: ['Tablet'], closedPort: 8080 };
        return { ...offer, change: { ...change, ...losses, now } };
      },
    });
    await upgrade.choose('solo');
    await expect.poll(() => offered).toBeDefined();
    const plan = t('plans.name.solo');
    // The start of the change, and the price of each later renewal.
    const begins = offered!.change!.begins;
    await expect(
      page.getByText(new RegExp(`${plan} plan costs less, .* ${day(begins)}, .* costs THB`)),
    ).toBeVisible();
    await expect(
      page.getByText(/for 2 devices.*able to connect once it begins: Laptop, Phone\./),
    ).toBeVisible();
    await expect(page.getByText(/Higher limits of these devices .*: Tablet\./)).toBeVisible();
    await expect(page.getByText(t('upgrade.closedPort', { plan, port: '8080' }))).toBeVisible();
    await upgrade.choose('team');
    const rest = page.locator('dl > div').filter({ hasText: t('order.change.rest') });
    await expect(rest).toContainText('12.00');

    await open(page, `order?again=${guide.subscriptionId}`, {
      getData: () => ({ ...offered!, change: undefined, comingVat: { rateBp: 1000, from: inDays(40) } }),
    });
    await expect(page.getByText(t('order.again.other'))).toBeVisible();
    const coming = t('subscription.vatFrom', { date: day(inDays(40)), rate: '10%' });
    await expect(page.getByText(coming)).toBeVisible();
    await open(page, `order?again=${guide.subscriptionId}`, {
      getData: () => ({ ...offered!, change: undefined, full: true }),
    });
    await expect(page.getByText(t('order.again.none'))).toBeVisible();

    const from = inDays(40);
    await open(page, path, {
      getSubscription: of => ({
        ...of,
        announcedPrice: { price: 359_00, from },
        announcedVat: { rateBp: 1000, from },
      }),
    });
    await expect(
      page.getByText(t('subscription.priceFrom', { date: day(from), amount: THB(359_00) })),
    ).toBeVisible();
    await expect(page.getByText(t('subscription.vatFrom', { date: day(from), rate: '10%' }))).toBeVisible();
    await open(page, path, { getSubscription: ended });
    await expect(page.getByText(t('subscription.addressHeld', { date: day(inDays(28)) }))).toBeVisible();
  },
);

inWindow('the overview shows what ends soon, and the use of each day', async ({ page }) => {
  const soon = inDays(9);
  const used = (day: string, gb: number) => ({ day, downBytes: gb * 1e9, upBytes: 0 });
  const bandwidth: Answers = {
    getBandwidth: line => ({
      ...line,
      months: [{ month: '2026-11', downBytes: 5e9, upBytes: 1e9 }],
      days: [used('2026-11-20', 4), used('2026-11-18', 1)],
    }),
  };
  const expiring: Answers = {
    ...bandwidth,
    getCard: ({ cards, ...others }) => ({
      ...others,
      cards: cards.map(card => ({ ...card, expiryYear: 2026, expiryMonth: 1, isDefault: true })),
    }),
  };
  await open(page, 'management/dashboard', {
    ...expiring,
    mySubscription: list => ({ ...list, items: list.items.map(one => ({ ...one, filesUntil: soon })) }),
  });
  await expect(page.getByText(t('care.file', { date: day(soon) }))).toBeVisible();
  const cardEnds = page.getByText(t('care.card', { card: 'Visa •••• 4242' }));
  await expect(cardEnds).toBeVisible();
  // A day without use in between.
  const picture = page.getByRole('img', { name: t('bandwidth.usage.days') });
  await expect(picture.locator('div')).toHaveCount(3);
  const heights = (await boxes(picture.locator('div'))).map(({ height }) => height);
  expect(heights[1]).toBeLessThan(heights[0]!);
  expect(heights[2]! / heights[0]!).toBeCloseTo(4, 0);
  await picture.click();
  await expect(page.getByText(t('bandwidth.usage.value', { total: '6', down: '5', up: '1' }))).toBeVisible();
  await expect(page.getByText(t('bandwidth.usage.value', { total: '4', down: '4', up: '0' }))).toBeVisible();
  const widths = (await boxes(page.locator('dd[aria-hidden] > div'))).map(({ width }) => width);
  expect(widths[2]! / widths[1]!).toBeCloseTo(1 / 4, 1);
  // With manual renewal nothing is charged.
  await open(page, 'management/dashboard', {
    ...expiring,
    mySubscription: list => ({
      ...list,
      items: list.items.map(one => ({ ...one, filesUntil: soon, byHand: true })),
    }),
  });
  await expect(page.getByText(t('care.file', { date: day(soon) }))).toBeVisible();
  await expect(picture).toBeVisible();
  await expect(cardEnds).toHaveCount(0);
});

inWindow(
  'many subscriptions are sorted in each order, and read page by page',
  { tag: '@soak' },
  async ({ page }) => {
    const all = Array.from({ length: 25 }, (_, index) => ({
      id: `sub_${index}`,
      address: `203.0.113.${index}`,
    }));
    const orders: Record<string, typeof all> = {
      oldest: all,
      newest: all.toReversed(),
      soonest: [...all.slice(7), ...all.slice(0, 7)],
    };
    // Further pages are empty, because the customer has one subscription.
    let known: Data<'mySubscription'>['items'][number] | undefined;
    await open(page, 'management/subscription', {
      mySubscription({ items: [one = known] }, asked) {
        known = one;
        const { page: number, size, sort } = asked as { page: number; size: number; sort: string };
        const part = orders[sort]!.slice((number - 1) * size, number * size);
        return { items: part.map(of => ({ ...one!, ...of })), total: all.length, owned: all.length };
      },
    });
    const shown = page
      .getByRole('main')
      .getByRole('row')
      .filter({ has: page.getByRole('link') });
    await expect(shown).toHaveCount(20);
    await expect(shown.first()).toContainText('203.0.113.24');
    const pages = page.getByRole('navigation', { name: t('subscriptions.pages') });
    await pages.getByRole('button', { name: t('subscriptions.next') }).click();
    await expect(shown).toHaveCount(5);
    await expect(shown.last()).toContainText('203.0.113.0');
    // Another order starts with its first page.
    await page.getByLabel(t('billing.sort')).selectOption('oldest');
    await expect(shown).toHaveCount(20);
    await expect(shown.first()).toContainText('203.0.113.0');
    await page.getByLabel(t('billing.sort')).selectOption('soonest');
    await expect(shown.first()).toContainText('203.0.113.7');
    await pages.getByRole('button', { name: t('subscriptions.page', { page: '2' }) }).click();
    await expect(shown).toHaveCount(5);
  },
);

inWindow(
  'FU11 every page offers its actions itself, and none asks to write to support',
  { tag: '@soak' },
  async ({ page }) => {
    const main = page.getByRole('main');
    const offers: [string, string, string][] = [
      [`management/subscription/${guide.subscriptionId}`, 'upgrade.title', 'upgrade.present'],
      [`management/subscription/${guide.subscriptionId}`, 'bandwidth.title', 'bandwidth.limits.title'],
    ];
    for (const [path, link, there] of offers) {
      await page.goto(`${guide.url}/#/en/${path}`);
      await main.getByRole('link', { name: t(link), exact: true }).click();
      await expect(main.getByText(t(there)).first()).toBeVisible();
      await expect(main.locator('a[href^="mailto:"]')).toHaveCount(0);
    }
    await page.goto(`${guide.url}/#/en/management/billing`);
    await main.getByRole('button', { name: t('billing.card.add') }).click();
    await expect(main.getByLabel(t('order.card.name'))).toBeVisible();
    await expect(main.locator('a[href^="mailto:"]')).toHaveCount(0);
  },
);

inWindow(
  'FU18 a snack on a phone is at the top, with its code beside the text and not in it',
  { tag: '@soak' },
  async ({ page }) => {
    await page.setViewportSize(phone);
    const path = `management/subscription/${guide.subscriptionId}`;
    await open(page, path, { getSubscription: pastDue({ nextTryAt: inDays(2) }) });
    await page.route(/\/assets\/dialog-panel-[^/]*\.js$/, route => route.abort());
    await page.getByRole('button', { name: t('renewal.turnOff') }).click();
    const text = page.getByRole('alert').getByText(t('errorCode.9901'));
    // A snack stays while the pointer is on it.
    await text.hover();
    await expect(text).not.toContainText('9901');
    const code = page.getByRole('alert').getByText('9901', { exact: true });
    const [ofText, ofCode] = [(await text.boundingBox())!, (await code.boundingBox())!];
    expect(ofCode.x).toBeGreaterThanOrEqual(ofText.x + ofText.width);
    expect(ofText.y + ofText.height).toBeLessThan(phone.height / 3);
    // The code beside it is small.
    await expect(text).toHaveCSS('font-size', '16px');
    await expect(code).toHaveCSS('font-size', /^1[2-4]/);
    // The snack does not cover the first button.
    const pay = page.getByRole('button', { name: t('renewal.payNow').split('{')[0]!.trim() });
    expect(ofText.y + ofText.height).toBeLessThan((await pay.boundingBox())!.y);
  },
);

inWindow(
  'in Thai on a phone the dialogs before an end fit and state the refund',
  { tag: '@soak' },
  async ({ page }) => {
    await page.setViewportSize(phone);
    const path = `management/subscription/${guide.subscriptionId}`;
    const answers: Answers = {
      getSubscription: of => ({
        ...of,
        withdrawal: { until: inDays(10), countries: ['DE', 'FR'], again: true },
      }),
      withdrawal: () => ({ currency: 'THB', money: 120_00, credit: 30_00 }),
    };
    await open(page, path, answers, 'th');
    const dialog = page.getByRole('dialog');
    const faults = async () => [...(await overflow(page)), ...(await textViolations(page))];
    await page.getByRole('button', { name: th('renewal.turnOff') }).click();
    await dialog.getByLabel(th('renewal.reason.other')).check();
    await expect(dialog.getByLabel(th('renewal.ask.comment'))).toBeVisible();
    expect(await faults()).toEqual([]);
    await dialog.getByRole('button', { name: th('renewal.ask.keep') }).click();

    await page.getByRole('button', { name: th('withdrawal.open') }).click();
    // Only a part is refundable now.
    await expect(dialog.getByText(th('withdrawal.again'))).toBeVisible();
    await dialog.getByLabel(th('withdrawal.country')).selectOption('FR');
    await expect(dialog.getByText('120.00')).toBeVisible();
    await expect(dialog.getByText('30.00')).toBeVisible();
    expect(await faults()).toEqual([]);
  },
);

inWindow(
  'a customer whose tunnel could not be checked is told so, and where to look',
  { tag: '@soak' },
  async ({ page }) => {
    const untested = page.getByText(t('success.untested', { why: t('why.title') }));
    for (const tested of [true, false]) {
      await open(page, `success?order=${guide.order.reference}`, {
        purchaseData: order => ({ ...order, subscription: { ...order.subscription!, tested } }),
      });
      await expect(page.getByRole('heading', { level: 1, name: t('success.title') })).toBeVisible();
      await expect(page.getByText(t('success.address')).first()).toBeVisible();
      await expect(untested).toHaveCount(tested ? 0 : 1);
    }
  },
);
