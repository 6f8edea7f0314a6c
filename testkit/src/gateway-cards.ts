import type { PaymentGateway } from '@fixpoint/api/ports/payment-gateway.ts';
import { beforeAll, expect, test } from 'vitest';
import type { TestsOf } from './gateway-capabilities.ts';
import type { GatewayDriver } from './gateway-driver.ts';
import { AMOUNT, type GatewayPayments } from './gateway-payments.ts';

/** Contract tests of gateways for which a card is typed. */
export function cardTests(
  where: TestsOf,
  opened: () => { driver: GatewayDriver; shop: GatewayPayments },
): void {
  where('cards').describe('a card', () => {
    let driver: GatewayDriver;
    let gateway: PaymentGateway;
    let shop: GatewayPayments;
    beforeAll(() => {
      ({ driver, shop } = opened());
      ({ gateway } = driver);
    });
    const gatewayCustomerRef = async () => (await shop.newAttempt()).gatewayCustomerRef;
    const begun = { gatewayCustomerId: 'pay_his', language: 'th', replaces: 'met_before' };
    const save = async (ref: string) =>
      gateway.cards!.save({ ref, gatewayCustomerRef: await gatewayCustomerRef(), key: `save-${ref}`, begun });

    test('can be read before it pays, and pays an open payment once', async () => {
      const ref = await driver.makeCard!();
      expect(await gateway.cards!.read('pm_nobodys')).toBeUndefined();
      expect(await gateway.cards!.read(ref)).toMatchObject({ ref, expiryYear: expect.any(Number) });
      const { attempt } = await shop.started();
      const paid = await gateway.cards!.pay(attempt, ref);
      expect(paid).toMatchObject({ state: 'succeeded', received: AMOUNT });
      expect(await gateway.cards!.pay(attempt, ref)).toMatchObject({ ref: paid.ref, received: AMOUNT });
      const another = await driver.makeCard!();
      expect(await gateway.cards!.pay(attempt, another)).toMatchObject({ ref: paid.ref, received: AMOUNT });
    });

    test('FS3 that is declined reports the reason, and each decline is counted', async () => {
      const { attempt, payment } = await shop.started();
      await driver.decline!(payment);
      const refused = await gateway.cards!.pay(attempt, await driver.makeCard!('refused'));
      expect(refused).toMatchObject({ state: 'failed', decline: expect.any(String), declines: 2 });
      expect(await shop.known(attempt)).toMatchObject({ state: 'failed', declines: 2 });
    });

    test('is saved without a payment, pays later, and is removed', async () => {
      const owner = await gatewayCustomerRef();
      const saving = { ref: await driver.makeCard!(), gatewayCustomerRef: owner, key: 'save-1', begun };
      const saved = await gateway.cards!.save(saving);
      expect(saved).toMatchObject({ state: 'saved', gatewayCustomerRef: owner, begun });
      expect((await gateway.cards!.save(saving)).ref).toBe(saved.ref);
      expect(await gateway.cards!.askSaving(saved.ref)).toEqual(saved);
      expect(await gateway.cards!.askSaving('seti_nobodys')).toBeUndefined();
      const savedRef = saved.state === 'saved' ? saved.card.ref : '';
      expect(await gateway.cards!.readSaved(savedRef)).toMatchObject({ ref: savedRef });
      const again = await shop.started({ gatewayCustomerRef: owner, savedRef });
      expect(again.payment).toMatchObject({ state: 'succeeded', received: AMOUNT });
      await gateway.forget!(savedRef);
      await gateway.forget!(savedRef);
      expect(await gateway.cards!.readSaved(savedRef)).toBeUndefined();
      expect(await gateway.cards!.readSaved('pm_nobodys')).toBeUndefined();
      const spent = await gateway.start(await shop.newAttempt({ gatewayCustomerRef: owner, savedRef }));
      expect(spent).toMatchObject({ ref: null, state: 'closed', received: 0, gone: true });
    });

    test('is not saved when its bank declines it or first asks for authentication', async () => {
      const refused = await save(await driver.makeCard!('refused'));
      expect(refused).toMatchObject({ state: 'refused', decline: expect.any(String) });
      const asked = await save(await driver.makeCard!('asked'));
      expect(asked).toMatchObject({ state: 'asked', clientSecret: expect.any(String) });
    });

    test('FS3 that is not saved reports how often it was declined, and cannot be saved once the saving has ended', async () => {
      const refused = await save(await driver.makeCard!('refused'));
      expect(refused).toMatchObject({ state: 'refused', declines: 1, begunAt: expect.any(Date) });
      const asked = await save(await driver.makeCard!('asked'));
      expect(asked).toMatchObject({ state: 'asked', declines: 0 });
      await gateway.cards!.endSaving(asked.ref);
      await gateway.cards!.endSaving(asked.ref);
      expect(await gateway.cards!.askSaving(asked.ref)).toMatchObject({ state: 'refused', declines: 0 });
      const saved = await save(await driver.makeCard!());
      await gateway.cards!.endSaving(saved.ref);
      expect(await gateway.cards!.askSaving(saved.ref)).toMatchObject({ state: 'saved' });
    });
  });
}
