import type {
  AttemptRef,
  PaymentGateway,
  PaymentMethod,
  RefundRef,
} from '@fixpoint/api/ports/payment-gateway.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { until } from './buyer.ts';
import { CAPABILITIES, capabilitiesOf, testsOf } from './gateway-capabilities.ts';
import { cardTests } from './gateway-cards.ts';
import type { Failure, GatewayCall, GatewayDriver } from './gateway-driver.ts';
import { AMOUNT, accepted, type GatewayPayments, gatewayPayments, methodOf } from './gateway-payments.ts';
import { webhookTests } from './gateway-webhooks.ts';

const MINUTES_MS = 60_000;

/** Error of a failed call: the provider is unreachable, and whether it answered so itself. */
const unreachable = (answered: boolean) =>
  expect.objectContaining({ fault: 'providerUnreachable', answered });

/** Contract tests of every payment method: callers of a gateway rely on nothing else. */
export function gatewaySuite(method: PaymentMethod, open: () => Promise<GatewayDriver>): void {
  const where = testsOf(method);
  describe(`FC4 the gateway of ${method}`, () => {
    let driver: GatewayDriver;
    let gateway: PaymentGateway;
    let shop: GatewayPayments;
    beforeAll(async () => {
      driver = await open();
      gateway = driver.gateway;
      shop = gatewayPayments(driver);
    });
    afterEach(() => driver.calm());
    afterAll(() => driver?.stop());

    const brokenMethod = async () => {
      const { attempt, reported } = await shop.paid();
      const { gatewayCustomerRef } = attempt;
      return {
        gatewayCustomerRef,
        savedRef: await driver.spoil!(methodOf(reported).ref, gatewayCustomerRef),
      };
    };

    test("has its method's name and the declared capabilities", () => {
      expect(gateway.method).toBe(method);
      expect(new Set(capabilitiesOf(driver))).toEqual(new Set(CAPABILITIES[method]));
    });

    describe('a payment', () => {
      test('is started once per key and can be paid', async () => {
        const attempt = await shop.newAttempt();
        const first = await shop.start(attempt);
        expect(first).toMatchObject({
          state: 'open',
          amount: AMOUNT,
          currency: attempt.currency,
          received: 0,
        });
        expect(first.nextAction).toBeDefined();
        expect((await shop.start(attempt)).ref).toBe(first.ref);
        expect((await shop.start({ ...attempt, key: `${attempt.id}-2` })).ref).not.toBe(first.ref);
      });

      test('has the requested amount in every currency', async () => {
        for (const currency of driver.currencies) {
          expect(gateway.takes(currency)).toBe(true);
          const { attempt, payment } = await shop.started({ currency, amount: 2_500_00 });
          expect(payment).toMatchObject({ currency, amount: 2_500_00 });
          expect(await shop.known(attempt)).toMatchObject({ currency, amount: 2_500_00 });
        }
      });

      test('that succeeded reports its amount, its method, and soon its fee', async () => {
        const { attempt, reported } = await shop.paid();
        expect(reported).toMatchObject({ state: 'succeeded', amount: AMOUNT, received: AMOUNT });
        expect(reported.nextAction).toBeUndefined();
        if (gateway.renewsByItself) expect(methodOf(reported).ref).toBeTruthy();
        const { fee } = await until(async () => {
          driver.advance(MINUTES_MS);
          const now = await shop.known(attempt);
          return now.fee !== undefined && now;
        }, 'the fee');
        if (driver.free) expect(fee).toBe(0);
        else expect(fee).toBeGreaterThan(0);
        expect(fee).toBeLessThan(AMOUNT);
      });

      where('renews').test('the same payment method has the same fingerprint', async () => {
        const [one, two] = [await shop.paid(), await shop.paid()];
        expect(methodOf(one.reported).fingerprint).toBeTruthy();
        expect(methodOf(one.reported).fingerprint).toBe(methodOf(two.reported).fingerprint);
      });

      where('renews').test('a saved method pays again without its owner', async () => {
        const { attempt, reported } = await shop.paid();
        const again = await shop.started({
          gatewayCustomerRef: attempt.gatewayCustomerRef,
          savedRef: methodOf(reported).ref,
        });
        expect(again.payment).toMatchObject({ state: 'succeeded', received: AMOUNT });
        expect(again.payment.ref).not.toBe(reported.ref);
        const lost = { ...again.attempt, providerRef: null };
        expect((await shop.start(lost)).ref).toBe(again.payment.ref);
        // Finds it also when the owner has removed the method since.
        const found = await until(async () => {
          const now = await gateway.ask({ ...lost, savedRef: null });
          return now !== 'unknown' && now;
        }, 'the payment whose answer was lost');
        expect(found.ref).toBe(again.payment.ref);
      });

      where('renews').test('a saved method that is declined reports the reason', async () => {
        const { gatewayCustomerRef, savedRef } = await brokenMethod();
        const attempt = await shop.newAttempt({ gatewayCustomerRef, savedRef });
        const refused = await gateway.start(attempt);
        expect(['failed', 'closed']).toContain(refused.state);
        expect(refused).toMatchObject({ received: 0, decline: expect.any(String) });
        if (refused.ref) expect(await shop.known({ ...attempt, providerRef: refused.ref })).toEqual(refused);
      });

      where('declines').test('that is declined has failed and reports the reason', async () => {
        const { attempt, payment } = await shop.started();
        await driver.decline!(payment);
        const refused = await shop.taken(attempt);
        expect(refused).toMatchObject({ state: 'failed', received: 0 });
        expect(refused.decline).toBeTruthy();
      });
    });

    where('captures').describe('an approved payment', () => {
      test('has received no money yet, and is captured once', async () => {
        const { attempt, payment } = await shop.started();
        await driver.pay(payment);
        expect(await shop.known(attempt)).toMatchObject({ state: 'approved', received: 0 });
        const first = await gateway.capture!(attempt);
        expect(first).toMatchObject({ ref: payment.ref, state: 'succeeded', received: AMOUNT });
        expect(await gateway.capture!(attempt)).toMatchObject({ state: 'succeeded', received: AMOUNT });
        const asWhoLostTheAnswer = await gateway.capture!({ ...attempt, key: `${attempt.id}-2` });
        expect(asWhoLostTheAnswer).toMatchObject({ chargeRef: first.chargeRef });
      });

      test('is not captured before approval, and can still be paid', async () => {
        const { attempt } = await shop.started();
        const untaken = await gateway.capture!(attempt);
        expect(untaken).toMatchObject({ state: 'open', received: 0 });
        expect(untaken.nextAction).toBeDefined();
      });

      test('FM1 is found captured when the answer was lost', async () => {
        const { attempt, payment } = await shop.started();
        await driver.pay(payment);
        await driver.break('capture', 'lost');
        await expect(gateway.capture!(attempt)).rejects.toThrow(unreachable(false));
        await driver.calm();
        expect(await shop.known(attempt)).toMatchObject({ state: 'succeeded', received: AMOUNT });
      });
    });

    describe('FM1 when the answer is lost', () => {
      test('the payment is found by our own id or by repeating the call', async () => {
        const attempt = await shop.newAttempt();
        await driver.break('start', 'lost');
        await expect(gateway.start(attempt)).rejects.toThrow(unreachable(false));
        await driver.calm();
        const found = driver.findsPayments ? await shop.known(attempt) : await shop.start(attempt);
        expect(found).toMatchObject({ state: 'open', amount: AMOUNT });
        expect((await shop.start(attempt)).ref).toBe(found.ref);
      });

      where('findsLate').test(
        'not finding a payment proves nothing, and repeating the call finds it',
        async () => {
          const attempt = await shop.newAttempt();
          const { ref } = await shop.start(attempt);
          await driver.hide!();
          expect(await gateway.ask(attempt)).toBe('unknown');
          expect((await shop.start(attempt)).ref).toBe(ref);
          expect((await shop.known({ ...attempt, providerRef: ref })).ref).toBe(ref);
        },
      );

      test('a payment that never reached the provider is unknown', async () => {
        expect(await gateway.ask(await shop.newAttempt())).toBe('unknown');
        if (gateway.close) expect(await gateway.close(await shop.newAttempt())).toBe('unknown');
      });
    });

    where('closes').describe('closing', () => {
      test('closes an unpaid payment for good', async () => {
        const { attempt, payment } = await shop.started();
        expect(await gateway.close!(attempt)).toMatchObject({
          ref: payment.ref,
          state: 'closed',
          received: 0,
        });
        expect(await gateway.close!(attempt)).toMatchObject({ state: 'closed' });
        await driver.pay(payment).catch(() => undefined);
        // A bitcoin address can be paid at any time: late money is reported.
        const late = gateway.unapplied === 'credit';
        expect(await shop.known(attempt)).toMatchObject(
          late ? { state: 'succeeded', received: AMOUNT } : { state: 'closed', received: 0 },
        );
      });

      where('declines').test('closes a declined payment', async () => {
        const { attempt, payment } = await shop.started();
        await driver.decline!(payment);
        expect(await gateway.close!(attempt)).toMatchObject({ state: 'closed' });
      });

      test('FM1 does nothing when the money arrived first', async () => {
        const { attempt } = await shop.paid();
        expect(await gateway.close!(attempt)).toMatchObject({ state: 'succeeded', received: AMOUNT });
      });
    });

    describe('a refund', () => {
      const made = (refund: RefundRef) => gateway.refund(refund).then(accepted);
      test('is created once per key, for a part or the whole amount', async () => {
        const { reported } = await shop.paid();
        const part = shop.refundOf(reported, { amount: 99_00 });
        const first = await made(part);
        expect(['pending', 'succeeded']).toContain(first.state);
        expect((await made(part)).ref).toBe(first.ref);
        expect((await made(shop.refundOf(reported, { amount: 100_00 }))).ref).not.toBe(first.ref);
        expect(await gateway.refund(shop.refundOf(reported, { amount: 1_00 }))).toMatchObject({
          refused: 'gone',
        });
      });

      test('FM2 is found by its reference, or by our id when the answer was lost', async () => {
        const refund = shop.refundOf((await shop.paid()).reported);
        await driver.break('refund', 'lost');
        await expect(gateway.refund(refund)).rejects.toThrow(unreachable(false));
        await driver.calm();
        const found = await gateway.askRefund(refund);
        expect(found).toMatchObject({ ref: expect.any(String) });
        const { ref: providerRef } = await made(refund);
        expect(found).toMatchObject({ ref: providerRef });
        expect(await gateway.askRefund({ ...refund, providerRef })).toMatchObject({ ref: providerRef });
      });

      test('FM2 that was never requested is unknown', async () => {
        expect(await gateway.askRefund(shop.refundOf((await shop.paid()).reported))).toBe('unknown');
      });

      where('findsLate').test('FM2 not finding a refund proves nothing', async () => {
        const refund = shop.refundOf((await shop.paid()).reported);
        await gateway.refund(refund);
        await driver.hide!();
        expect(await gateway.askRefund(refund)).toBe('unknown');
      });

      test('FM2 that the bank returns has failed', async () => {
        const refund = shop.refundOf((await shop.paid()).reported);
        const { ref } = await made(refund);
        await driver.bounce(ref);
        expect(await gateway.askRefund({ ...refund, providerRef: ref })).toMatchObject({ state: 'failed' });
      });
    });

    let calls = 0;
    const next = () => {
      calls += 1;
      return { id: `att_x${calls}`, key: `att_x${calls}-1` };
    };
    const callsOf = (): Partial<
      Record<GatewayCall, (attempt: AttemptRef, refund: RefundRef) => Promise<unknown>>
    > => ({
      ...(gateway.createGatewayCustomer && {
        createGatewayCustomer: () => gateway.createGatewayCustomer!(next()),
      }),
      start: attempt => gateway.start({ ...attempt, ...next() }),
      ask: attempt => gateway.ask(attempt),
      ...(gateway.close && { close: attempt => gateway.close!(attempt) }),
      ...(gateway.capture && { capture: attempt => gateway.capture!(attempt) }),
      refund: (_, refund) => gateway.refund(refund),
      askRefund: (_, refund) => gateway.askRefund(refund),
    });
    const failures: readonly Failure[] = ['silent', 'garbled', 'busy', 'faulty'];
    test.each(failures)('FM1 a provider that is %s counts as unreachable for every call', async how => {
      const { attempt } = await shop.started();
      const refund = shop.refundOf((await shop.paid()).reported);
      for (const [call, ask] of Object.entries(callsOf())) {
        await driver.break(call as GatewayCall, how);
        await expect(ask(attempt, refund), call).rejects.toThrow(unreachable(how === 'faulty'));
        await driver.calm();
      }
    });

    cardTests(where, () => ({ driver, shop }));
    webhookTests(where, () => ({ driver, shop }));
  });
}
