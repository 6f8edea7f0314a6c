import { expect, type Frame, type Page, test } from '@playwright/test';
import { untilIdle } from '../blocked.ts';
import { testStack } from '../env.ts';
import { orderScreen } from '../screens/order.ts';
import { say } from '../texts.ts';

const t = say('en');

const payFrame = (page: Page): Frame => page.frames().find(frame => frame.url().endsWith('/pay.html'))!;
/** Origins of all scripts that a document has loaded, also of those that removed themselves. */
const scriptOrigins = (frame: Frame) =>
  frame.evaluate(() => {
    const loaded = performance.getEntriesByType('resource').map(entry => {
      const { name, initiatorType } = entry as unknown as { name: string; initiatorType: string };
      return initiatorType === 'script' || /\.m?js$/.test(name) ? [new URL(name).origin] : [];
    });
    return [...new Set(loaded.flat())].sort();
  });
const hasProvider = (frame: Frame) => frame.evaluate(() => 'Stripe' in globalThis);

test('S42 S64 S65 the shop’s page runs the shop’s scripts only, the payment page also the provider’s; neither reaches the other', async ({
  page,
}) => {
  const order = orderScreen(page, t);
  await order.open();
  await order.cardReady();
  const shop = new URL(testStack().url).origin;
  const pay = payFrame(page);

  expect(await scriptOrigins(page.mainFrame())).toEqual([shop]);
  expect(await hasProvider(page.mainFrame())).toBe(false);
  expect(await scriptOrigins(pay)).toEqual(
    [new URL(pay.url()).origin, new URL(testStack().sandboxUrl).origin].sort(),
  );
  expect(await hasProvider(pay)).toBe(true);

  await test.step('the payment page cannot reach the page that frames it', async () => {
    const reached = await pay.evaluate(
      '(() => { try { return parent.document.title } catch (error) { return error.name } })()',
    );
    expect(reached).toBe('SecurityError');
  });
  await test.step('the order page trusts messages of the payment page alone', async () => {
    const frame = page.locator('iframe[src$="/pay.html"]');
    const before = await frame.boundingBox();
    // The same message from the page's own window: right form, wrong sender.
    await page.evaluate("postMessage({ kind: 'asking', asking: true }, '*')");
    await page.evaluate("postMessage({ kind: 'height', height: 9999 }, '*')");
    await untilIdle(page);
    expect(await frame.boundingBox()).toEqual(before);
  });
});

test('S65 the payment page shows nothing outside the shop', async ({ page }) => {
  const origin = await page.request.get(`${testStack().url}/config.json`);
  const { PAY_URL } = (await origin.json()) as { PAY_URL: string };
  const answer = await page.goto(`${PAY_URL}/pay.html`);
  expect(answer!.headers()['content-security-policy']).toContain('frame-ancestors');
  await expect(page.locator('#card')).toBeEmpty();
  expect(await hasProvider(page.mainFrame())).toBe(false);
});
