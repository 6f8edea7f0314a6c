import type { PaymentGateway, WebhookEvent } from '@fixpoint/api/ports/payment-gateway.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { until } from './buyer.ts';
import type { TestsOf } from './gateway-capabilities.ts';
import type { Delivery, GatewayDriver } from './gateway-driver.ts';
import { accepted, type GatewayPayments, methodOf } from './gateway-payments.ts';

const MINUTES_MS = 60_000;

/** Contract tests of every gateway for what its provider sends. */
export function webhookTests(
  where: TestsOf,
  opened: () => { driver: GatewayDriver; shop: GatewayPayments },
): void {
  describe('S38 a webhook', () => {
    let driver: GatewayDriver;
    let gateway: PaymentGateway;
    let shop: GatewayPayments;
    beforeAll(() => {
      ({ driver, shop } = opened());
      ({ gateway } = driver);
    });
    const read = ({ body, headers }: Delivery) => gateway.readWebhook(body, headers, 'a network');
    const reports = async (
      delivery: Delivery,
      matches: (notice: WebhookEvent) => boolean,
    ): Promise<boolean> => {
      const notices = await read(delivery);
      return notices !== 'forged' && notices.some(matches);
    };
    const delivered = (what: string, tidings: (notice: WebhookEvent) => boolean): Promise<Delivery> =>
      until(async () => {
        driver.advance(MINUTES_MS);
        for (const delivery of driver.deliveries()) if (await reports(delivery, tidings)) return delivery;
        return undefined;
      }, `an event about ${what}`);
    const paidEvent = async () => {
      const { attempt, payment } = await shop.paid();
      const delivery = await delivered(payment.ref, ({ ref, moved }) => ref === payment.ref && moved);
      return { attempt, payment, delivery };
    };

    test("reports a payment with both sides' ids, and that its money has arrived", async () => {
      const { attempt, payment, delivery } = await paidEvent();
      expect(await read(delivery)).toEqual([
        expect.objectContaining({ about: 'payment', ref: payment.ref, ours: attempt.id, moved: true }),
      ]);
    });

    where('captures').test('reports an approved payment, whose money has not arrived', async () => {
      const { attempt, payment } = await shop.started();
      await driver.pay(payment);
      expect(await read(await delivered(payment.ref, ({ ref }) => ref === payment.ref))).toEqual([
        expect.objectContaining({ about: 'payment', ours: attempt.id, moved: false }),
      ]);
    });

    test('reports a refund', async () => {
      const refund = shop.refundOf((await shop.paid()).reported);
      const { ref } = accepted(await gateway.refund(refund));
      expect(await read(await delivered(ref, notice => notice.ref === ref))).toEqual([
        expect.objectContaining({
          about: 'refund',
          ref,
          moved: true,
          ours: driver.namesRefunds ? refund.id : null,
        }),
      ]);
    });

    where('withdraws').test('reports a saved method that can no longer be charged', async () => {
      const { ref } = methodOf((await shop.paid()).reported);
      await driver.withdraw!(ref);
      expect(await read(await delivered(ref, notice => notice.ref === ref))).toEqual([
        expect.objectContaining({ about: 'method', ref, moved: false }),
      ]);
    });

    test('counts as forged when it is unsigned, changed, stale, empty, malformed or of another account', async () => {
      const { body, headers } = (await paidEvent()).delivery;
      expect(await read(await driver.sign(body))).not.toBe('forged');
      expect(await read({ body, headers: {} })).toBe('forged');
      expect(await read({ body: Buffer.concat([body, Buffer.from(' ')]), headers })).toBe('forged');
      expect(await read({ body: Buffer.alloc(0), headers })).toBe('forged');
      for (const text of ['', 'null', '{']) {
        expect(await read(await driver.sign(Buffer.from(text))), text).toBe('forged');
      }
      expect(await read(await driver.signForAnother(body))).toBe('forged');
      if (driver.staleAfterMs === undefined) return;
      driver.advance(2 * driver.staleAfterMs);
      expect(await read({ body, headers })).toBe('forged');
    });
  });
}
