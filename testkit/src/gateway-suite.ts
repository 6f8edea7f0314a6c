import type { AttemptRef, PaymentGateway, RefundRef, Reported } from '@fixpoint/api/ports/payment-gateway.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { until } from './buyer.ts';
import type { Failure, GatewayCall, GatewayDriver } from './gateway-driver.ts';

const AMOUNT = 199_00;
const MINUTES_MS = 60_000;

/** What a call that goes wrong throws: nothing but that the provider cannot be reached, and whether it said so itself. */
const unreachable = (answered: boolean) =>
  expect.objectContaining({ fault: 'providerUnreachable', answered });

/** What every payment method must hold (FC4): whoever calls a gateway knows nothing else about its provider. */
export function gatewaySuite(name: string, open: () => Promise<GatewayDriver>): void {
  describe(`FC4 the gateway of ${name}`, () => {
    let driver: GatewayDriver;
    let gateway: PaymentGateway;
    beforeAll(async () => {
      driver = await open();
      gateway = driver.gateway;
    });
    afterEach(() => driver.calm());
    afterAll(() => driver?.stop());

    let count = 0;
    async function newAttempt(change: Partial<AttemptRef> = {}): Promise<AttemptRef> {
      count += 1;
      const id = `att_${count}`;
      const payer = { id: `pay_${count}`, key: `pay_${count}-1` };
      const payerRef = (await gateway.createPayer?.(payer)) ?? '';
      return {
        id,
        invoiceId: `inv_${count}`,
        invoiceReference: `R-${count}`,
        currency: driver.currencies[0]!,
        amount: AMOUNT,
        key: `${id}-1`,
        payerRef,
        email: 'payer@example.com',
        providerRef: null,
        ...change,
      };
    }
    const named = (attempt: AttemptRef, { ref }: Reported): AttemptRef => ({ ...attempt, providerRef: ref });
    const started = async () => {
      const attempt = await newAttempt();
      const payment = await gateway.start(attempt);
      return { attempt: named(attempt, payment), payment };
    };
    const known = async (attempt: AttemptRef): Promise<Reported> => {
      const reported = await gateway.ask(attempt);
      if (reported === 'unknown') throw new Error('The provider does not know its own payment');
      return reported;
    };
    const paid = async () => {
      const { attempt, payment } = await started();
      await driver.pay(payment);
      const reported = await until(async () => {
        const now = await known(attempt);
        return now.state === 'succeeded' && now;
      }, 'the money');
      return { attempt, payment, reported };
    };
    const refundOf = ({ ref }: Reported, change: Partial<RefundRef> = {}): RefundRef => {
      count += 1;
      const id = `ref_${count}`;
      return {
        id,
        key: `${id}-1`,
        paymentRef: ref,
        currency: driver.currencies[0]!,
        amount: AMOUNT,
        providerRef: null,
        ...change,
      };
    };

    describe('a payment', () => {
      test('is begun once for a key, and can be paid', async () => {
        const attempt = await newAttempt();
        const first = await gateway.start(attempt);
        expect(first).toMatchObject({
          state: 'open',
          amount: AMOUNT,
          currency: attempt.currency,
          received: 0,
        });
        expect(first.payable).toBeDefined();
        expect((await gateway.start(attempt)).ref).toBe(first.ref);
        expect((await gateway.start({ ...attempt, key: `${attempt.id}-2` })).ref).not.toBe(first.ref);
      });

      test('is of the amount that was asked for, in every currency', async () => {
        for (const currency of driver.currencies) {
          expect(gateway.takes(currency)).toBe(true);
          const payment = await gateway.start(await newAttempt({ currency, amount: 2_500_00 }));
          expect(payment).toMatchObject({ currency, amount: 2_500_00 });
        }
      });

      test('that was paid says what came, with what, and soon what it cost', async () => {
        const { attempt, reported } = await paid();
        expect(reported).toMatchObject({ state: 'succeeded', amount: AMOUNT, received: AMOUNT });
        expect(reported.payable).toBeUndefined();
        if (gateway.renewsByItself) expect(reported.method?.ref).toBeTruthy();
        const { fee } = await until(async () => {
          driver.advance(MINUTES_MS);
          const now = await known(attempt);
          return now.fee !== undefined && now;
        }, 'the fee');
        if (driver.free) expect(fee).toBe(0);
        else expect(fee).toBeGreaterThan(0);
        expect(fee).toBeLessThan(AMOUNT);
      });

      test('the same means of payment is recognised', async ({ skip }) => {
        skip(!gateway.renewsByItself, 'nothing of it is kept');
        const [one, two] = [await paid(), await paid()];
        expect(one.reported.method!.fingerprint).toBe(two.reported.method!.fingerprint);
      });

      test('that was refused has failed, and says why', async ({ skip }) => {
        skip(!driver.decline, 'its provider refuses nobody');
        const { attempt, payment } = await started();
        await driver.decline!(payment);
        const refused = await known(attempt);
        expect(refused).toMatchObject({ state: 'failed', received: 0 });
        expect(refused.decline).toBeTruthy();
      });
    });

    describe('FM1 when the answer is lost', () => {
      test('the payment is found by our own name for it', async () => {
        const attempt = await newAttempt();
        await driver.break('start', 'lost');
        await expect(gateway.start(attempt)).rejects.toThrow(unreachable(false));
        await driver.calm();
        const found = await known(attempt);
        expect(found).toMatchObject({ state: 'open', amount: AMOUNT });
        expect((await gateway.start(attempt)).ref).toBe(found.ref);
      });

      test('not finding it is no answer, and the same call leads to the same payment', async ({ skip }) => {
        skip(!driver.hide, 'what was made is found at once');
        const attempt = await newAttempt();
        const { ref } = await gateway.start(attempt);
        await driver.hide!();
        expect(await gateway.ask(attempt)).toBe('unknown');
        expect((await gateway.start(attempt)).ref).toBe(ref);
        expect((await known({ ...attempt, providerRef: ref })).ref).toBe(ref);
      });

      test('what never reached the provider is unknown to it', async () => {
        expect(await gateway.ask(await newAttempt())).toBe('unknown');
        expect(await gateway.close(await newAttempt())).toBe('unknown');
      });
    });

    describe('closing', () => {
      test('ends what nobody has paid, for good', async () => {
        const { attempt, payment } = await started();
        expect(await gateway.close(attempt)).toMatchObject({
          ref: payment.ref,
          state: 'closed',
          received: 0,
        });
        expect(await gateway.close(attempt)).toMatchObject({ state: 'closed' });
        await driver.pay(payment).catch(() => undefined);
        // An address takes money for ever: then it is told.
        const late = gateway.excess === 'credit';
        expect(await known(attempt)).toMatchObject(
          late ? { state: 'succeeded', received: AMOUNT } : { state: 'closed', received: 0 },
        );
      });

      test('ends what was refused', async ({ skip }) => {
        skip(!driver.decline, 'its provider refuses nobody');
        const { attempt, payment } = await started();
        await driver.decline!(payment);
        expect(await gateway.close(attempt)).toMatchObject({ state: 'closed' });
      });

      test('FM1 comes too late where the money was faster', async () => {
        const { attempt } = await paid();
        expect(await gateway.close(attempt)).toMatchObject({ state: 'succeeded', received: AMOUNT });
      });
    });

    describe('a refund', () => {
      test('is made once for a key, of a part or of all', async () => {
        const { reported } = await paid();
        const part = refundOf(reported, { amount: 99_00 });
        const first = await gateway.refund(part);
        expect(['pending', 'succeeded']).toContain(first.state);
        expect((await gateway.refund(part)).ref).toBe(first.ref);
        expect((await gateway.refund(refundOf(reported, { amount: 100_00 }))).ref).not.toBe(first.ref);
        await expect(gateway.refund(refundOf(reported, { amount: 1_00 }))).rejects.toThrow();
      });

      test('FM2 is found by its name, and when its answer was lost by ours', async () => {
        const refund = refundOf((await paid()).reported);
        await driver.break('refund', 'lost');
        await expect(gateway.refund(refund)).rejects.toThrow(unreachable(false));
        await driver.calm();
        const found = await gateway.askRefund(refund);
        expect(found).toMatchObject({ ref: expect.any(String) });
        const { ref: providerRef } = await gateway.refund(refund);
        expect(found).toMatchObject({ ref: providerRef });
        expect(await gateway.askRefund({ ...refund, providerRef })).toMatchObject({ ref: providerRef });
      });

      test('FM2 not finding it is no answer', async ({ skip }) => {
        const { reported } = await paid();
        const refund = refundOf(reported);
        expect(await gateway.askRefund(refund)).toBe('unknown');
        skip(!driver.hide, 'what was made is found at once');
        await gateway.refund(refund);
        await driver.hide!();
        expect(await gateway.askRefund(refund)).toBe('unknown');
      });

      test('FM2 that comes back has failed', async () => {
        const refund = refundOf((await paid()).reported);
        const { ref } = await gateway.refund(refund);
        await driver.bounce(ref);
        expect(await gateway.askRefund({ ...refund, providerRef: ref })).toMatchObject({ state: 'failed' });
      });
    });

    const calls: Record<GatewayCall, (attempt: AttemptRef, refund: RefundRef) => Promise<unknown>> = {
      createPayer: async () => gateway.createPayer!({ id: `pay_x${count}`, key: `pay_x${count++}-1` }),
      start: async attempt => gateway.start({ ...attempt, id: `att_x${count}`, key: `att_x${count++}-1` }),
      ask: attempt => gateway.ask(attempt),
      close: attempt => gateway.close(attempt),
      refund: (_, refund) => gateway.refund(refund),
      askRefund: (_, refund) => gateway.askRefund(refund),
    };
    const failures: readonly Failure[] = ['silent', 'garbled', 'busy', 'faulty'];
    test.each(failures)(
      'FM1 a provider that is %s is one that cannot be reached, whatever it is asked',
      async how => {
        const { attempt } = await started();
        const refund = refundOf((await paid()).reported);
        for (const [call, ask] of Object.entries(calls)) {
          if (call === 'createPayer' && !gateway.createPayer) continue;
          await driver.break(call as GatewayCall, how);
          await expect(ask(attempt, refund), call).rejects.toThrow(unreachable(how === 'faulty'));
          await driver.calm();
        }
      },
    );

    describe('S38 a webhook', () => {
      const delivered = async (ref: string) =>
        until(async () => {
          driver.advance(MINUTES_MS);
          return driver.deliveries().find(({ body, headers }) => {
            const notices = gateway.readWebhook(body, headers);
            return notices !== 'forged' && notices.some(notice => notice.ref === ref && notice.moved);
          });
        }, `news of the money of ${ref}`);

      test('tells of a payment, by the names of both sides, and that its money has come', async () => {
        const { attempt, payment } = await paid();
        const { body, headers } = await delivered(payment.ref);
        expect(gateway.readWebhook(body, headers)).toEqual([
          expect.objectContaining({ about: 'payment', ref: payment.ref, ours: attempt.id, moved: true }),
        ]);
      });

      test('tells of a refund', async () => {
        const refund = refundOf((await paid()).reported);
        const { ref } = await gateway.refund(refund);
        const { body, headers } = await delivered(ref);
        expect(gateway.readWebhook(body, headers)).toEqual([
          expect.objectContaining({
            ...{ about: 'refund', ref, moved: true },
            ours: driver.namesRefunds ? refund.id : null,
          }),
        ]);
      });

      test('is forged when it is unsigned, changed, stale, empty, nonsense or of another account', async () => {
        const { payment } = await paid();
        const { body, headers } = await delivered(payment.ref);
        const read = (delivery: Pick<ReturnType<GatewayDriver['sign']>, 'body' | 'headers'>) =>
          gateway.readWebhook(delivery.body, delivery.headers);
        expect(read(driver.sign(body))).not.toBe('forged');
        expect(read({ body, headers: {} })).toBe('forged');
        expect(read({ body: Buffer.concat([body, Buffer.from(' ')]), headers })).toBe('forged');
        expect(read({ body: Buffer.alloc(0), headers })).toBe('forged');
        for (const signed of [
          Buffer.alloc(0),
          Buffer.from('null'),
          Buffer.from('{'),
          driver.ofAnotherAccount(body),
        ]) {
          expect(read(driver.sign(signed)), signed.toString()).toBe('forged');
        }
        driver.advance(driver.staleAfterMs ?? 0);
        expect(read({ body, headers }) === 'forged').toBe(driver.staleAfterMs !== undefined);
      });
    });
  });
}
