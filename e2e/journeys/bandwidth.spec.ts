import { expect, test } from '@playwright/test';
import { delayRequest } from '../blocked.ts';
import { becomeCustomer } from '../customer.ts';
import { testStack } from '../env.ts';
import { overflow } from '../overflow.ts';
import { subscriptionScreen } from '../screens/subscription.ts';
import { say } from '../texts.ts';

const t = say('en');
const th = say('th');

test.use({ viewport: { width: 1280, height: 900 } });

test('A customer opens a port and limits a key, sees errors beside the field, and finds the result on a phone in Thai', async ({
  page,
}) => {
  await becomeCustomer(page, 'plus');
  await page.getByRole('link', { name: /Bangkok/ }).click();
  const subscription = subscriptionScreen(page);
  await subscription.addKey('Anns-phone');
  await expect(subscription.row('Anns-phone')).toBeVisible();
  const port = page.getByLabel(t('forward.port'));
  const open = page.getByRole('button', { name: t('forward.open') });
  for (const [wrong, said] of [
    ['80', 'form.port.invalid'],
    ['1194', 'form.port.taken'],
  ] as const) {
    await port.fill(wrong);
    await open.click();
    await expect(page.locator('form').getByText(t(said)).first()).toBeVisible();
  }
  await port.fill('8080');
  await open.dblclick();
  await expect(page.getByText(/(\d+\.){3}\d+:8080$/)).toBeVisible();
  await expect(page.getByText(t('forward.warning'))).toBeVisible();
  await expect(page.getByText(t('history.openPort'))).toHaveCount(1);
  await page.getByRole('link', { name: t('bandwidth.title') }).click();

  const limit = page.getByLabel(t('bandwidth.limit.label', { name: 'Anns-phone' }));
  const save = page.getByRole('button', { name: t('bandwidth.save') });
  for (const wrong of ['1000', '0', 'fast', '2.5']) {
    await limit.fill(wrong);
    await save.click();
    await expect(page.getByText(t('form.rate.invalid'))).toBeVisible();
    await expect(limit).toHaveValue(wrong);
  }
  // Input typed while another limit is being saved stays, and the next press saves it.
  const release = await delayRequest(page, '**/v1/subscription/adjustBw');
  await limit.fill('6');
  const first = page.waitForRequest('**/v1/subscription/adjustBw');
  await save.click();
  expect((await first).postDataJSON().keys).toMatchObject([{ rateMbit: 6 }]);
  await limit.fill('5');
  release();
  await expect(page.getByText(t('bandwidth.saved'))).toBeVisible();
  await expect(limit).toHaveValue('5');
  await expect(save).not.toHaveAttribute('aria-busy', 'true');
  const sent = page.waitForRequest('**/v1/subscription/adjustBw');
  await save.dblclick();
  expect((await sent).postDataJSON().keys).toMatchObject([{ rateMbit: 5 }]);
  await expect(save).not.toHaveAttribute('aria-busy', 'true');
  await expect(page.getByText(t('form.rate.invalid'))).toHaveCount(0);
  expect(await overflow(page)).toEqual([]);

  await test.step('the customer measures the line once the page comes through it', async () => {
    const away = t('bandwidth.measure.away', { address: '([\\d.]+\\d)' }).replace(/\.$/, '');
    const address = (await page.getByText(new RegExp(away)).textContent())!.match(away)![1]!;
    await page.setExtraHTTPHeaders({ 'x-forwarded-for': address });
    await page.reload();
    const measure = page.getByRole('button', { name: t('bandwidth.measure.start') });
    await measure.dblclick();
    await expect(page.getByText(t('bandwidth.measure.busy'))).toBeVisible();
    const figure = t('bandwidth.measure.result', { down: '[\\d,.]+', up: '[\\d,.]+' });
    await expect(page.getByText(new RegExp(figure))).toBeVisible();
    await expect(measure).toBeEnabled();
    expect(await overflow(page)).toEqual([]);
  });

  await page.setViewportSize({ width: 390, height: 844 });
  const [, id] = page.url().match(/subscription\/([^/]+)\//)!;
  await page.goto(`${testStack().url}/#/th/management/subscription/${id}/bandwidth-control`);
  const thai = page.getByLabel(th('bandwidth.limit.label', { name: 'Anns-phone' }));
  await expect(thai).toHaveValue('5');
  expect(await overflow(page)).toEqual([]);

  await thai.fill('');
  await page.getByRole('button', { name: th('bandwidth.save') }).click();
  await expect(page.getByText(th('bandwidth.saved'))).toBeVisible();
  await page.reload();
  await expect(thai).toHaveValue('');

  await page.goto(`${testStack().url}/#/th/management/subscription/${id}`);
  await page.getByRole('button', { name: th('forward.close') }).click();
  await expect(page.getByText(th('forward.closed'))).toBeVisible();
  await expect(page.getByRole('button', { name: th('forward.open') })).toBeVisible();
  expect(await overflow(page)).toEqual([]);
});
