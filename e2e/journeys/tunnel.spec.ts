import { connectCustomer } from '@fixpoint/sandbox/internet/customer.ts';
import { slowness } from '@fixpoint/testkit/slowness.ts';
import { isFullRun, variants } from '@fixpoint/testkit/test-gate.ts';
import { expect, type Page, test } from '@playwright/test';
import { testStack } from '../env.ts';
import { freshAddress, passwordLink } from '../mailbox.ts';
import { connectNewDevice } from '../new-device.ts';
import { accountScreens } from '../screens/account.ts';
import { cards, orderScreen } from '../screens/order.ts';
import { subscriptionScreen } from '../screens/subscription.ts';
import { successScreen } from '../screens/success.ts';
import { say } from '../texts.ts';

const t = say('en');

/** Goes from the emailed link to the file of a first key. */
async function firstFile(page: Page, email: string, name: string) {
  const account = accountScreens(page, t);
  await account.setPassword(await passwordLink(email));
  const subscription = subscriptionScreen(page);
  await subscription.addKey(name);
  await expect(subscription.row(name)).toBeVisible();
  return { subscription, file: await subscription.download(name) };
}

const ways = [
  ['a card', cards.good],
  ['a card that asks the bank (3-D Secure)', cards.needsConfirmation],
] as const;

for (const [how, number] of variants(ways, 1)) {
  test(`A visitor buys with ${how} and is on the internet with the fixed IP; deleting the key disconnects it`, async ({
    page,
  }) => {
    test.setTimeout(240_000);
    const { noRegion, regionId } = testStack();
    test.skip(noRegion !== undefined, noRegion);
    const email = freshAddress();
    const order = orderScreen(page, t);
    const success = successScreen(page, t);
    await order.open();
    await order.fill(email, number);
    await order.pay();
    if (number === cards.needsConfirmation) await order.answerBank('complete');
    await success.isShown();
    await expect(success.address).toBeVisible();
    await expect(page.getByText(t('success.done'))).toBeVisible();
    const address = (await success.address.textContent())!.trim();

    const { subscription, file } = await firstFile(page, email, 'laptop');
    const device = await connectNewDevice(file.text);
    try {
      expect(await device.ping()).toBeDefined();
      expect(await device.seenAddress()).toBe(address);
      expect(device.address).not.toBe(address);

      await device.watch();
      const busy = isFullRun ? slowness() : 1;
      const deleted = page.waitForResponse(answer => answer.url().endsWith('/v1/subscription/deleteKey'));
      await subscription.delete('laptop');
      await deleted;
      const heard = Date.now();
      await expect(subscription.row('laptop')).toBeHidden();
      await expect.poll(() => device.alive(), { timeout: 30_000 }).toBe(false);
      if (isFullRun) {
        const most = 1_000 * Math.max(busy, slowness());
        expect((await device.lastEcho()) - heard, 'ms from the answer to the last echo').toBeLessThan(most);
      }
    } finally {
      await device.stop();
    }
    await expect(
      connectCustomer({ region: { id: regionId! }, profile: file.text, timeoutMs: 8_000 }),
    ).rejects.toThrow();
  });
}
