import { Fault, Refusal } from '@fixpoint/web-client/faults.ts';
import { describe, expect, test, vi } from 'vitest';
import type { OrderState, PayAnswer } from '../../shop/pay-method.ts';
import { pay, paymentToShow } from './pay.ts';

const nextAction = { kind: 'card', ref: 'pi_1' } as const;

const anOrder = (status: OrderState['status'], more: Partial<OrderState> = {}): OrderState => ({
  reference: 'r',
  status,
  version: 1,
  total: { currency: 'THB', price: 100, net: 93, vat: 7 },
  payment: { method: 'card', nextAction },
  ...more,
});

function steps(answer: PayAnswer = { kind: 'taken' }) {
  return {
    purchase: vi.fn(async () => anOrder('awaitingPayment')),
    confirm: vi.fn(async () => answer),
    confirmPurchase: vi.fn(async () => anOrder('paid')),
    onCharged: vi.fn(),
  };
}

test.each<[OrderState['status'], 'wait' | 'card']>([
  ['awaitingPayment', 'card'],
  ['paid', 'wait'],
  ['fulfilled', 'wait'],
])('a payment elsewhere whose order is %s shows %s; an expired one shows nothing', (status, kind) => {
  const before = anOrder('awaitingPayment').payment!;
  const { payment, ...paid } = anOrder(status);
  expect(paymentToShow(before, kind === 'wait' ? paid : { ...paid, payment })?.nextAction.kind).toBe(kind);
  expect(paymentToShow(before, { status: 'expired', payment: undefined })).toBeUndefined();
});

describe('pay', () => {
  test('settles at once when the provider has taken the payment', async () => {
    const flow = steps();
    expect(await pay(flow)).toEqual({ kind: 'settled' });
    expect(flow.confirm).toHaveBeenCalledExactlyOnceWith({ method: 'card', nextAction });
  });

  test('never pays an order that is already paid (second window)', async () => {
    const flow = steps();
    flow.purchase.mockResolvedValue(anOrder('fulfilled'));
    expect(await pay(flow)).toEqual({ kind: 'settled' });
    expect(flow.confirm).not.toHaveBeenCalled();
  });

  test.each<PayAnswer>([
    { kind: 'declined', code: '2002' },
    { kind: 'refused', text: 'order.card.incomplete' },
  ])('passes on that nothing was charged: %j', async answer => {
    const flow = steps(answer);
    expect(await pay(flow)).toEqual(answer);
    expect(flow.confirmPurchase).not.toHaveBeenCalled();
  });

  test('asks the server when the outcome is unknown', async () => {
    expect(await pay(steps({ kind: 'unknown' }))).toEqual({ kind: 'settled' });
  });

  test('can be retried when neither provider nor server has the payment', async () => {
    const lost = steps({ kind: 'unknown' });
    lost.confirmPurchase.mockResolvedValueOnce(anOrder('awaitingPayment'));
    await expect(pay(lost)).rejects.toThrow(Fault);
    lost.confirmPurchase.mockRejectedValueOnce(new Fault());
    await expect(pay(lost)).rejects.toThrow(Fault);
  });

  test('waits for a payment elsewhere, and shows the method’s content meanwhile', async () => {
    const flow = steps({ kind: 'elsewhere', meanwhile: 'a QR code' });
    expect(await pay(flow)).toEqual({ kind: 'processing', meanwhile: 'a QR code' });
    expect(flow.confirmPurchase).not.toHaveBeenCalled();
  });

  test('waits on an unknown outcome instead of failing', async () => {
    const flow = steps();
    flow.confirmPurchase.mockRejectedValueOnce(new Fault());
    expect(await pay(flow)).toEqual({ kind: 'processing' });
    flow.confirmPurchase.mockRejectedValueOnce(new Refusal('9901', 503));
    expect(await pay(flow)).toEqual({ kind: 'processing' });
    flow.confirmPurchase.mockResolvedValueOnce(anOrder('awaitingPayment'));
    expect(await pay(flow)).toEqual({ kind: 'processing' });
  });

  test('passes on the refusal that the server reports', async () => {
    const flow = steps();
    flow.confirmPurchase.mockResolvedValueOnce(anOrder('failed', { failure: 'insufficient_funds' }));
    expect(await pay(flow)).toEqual({ kind: 'declined', code: 'insufficient_funds' });
    flow.confirmPurchase.mockRejectedValueOnce(new Refusal('2002', 400));
    expect(await pay(flow)).toEqual({ kind: 'declined', code: '2002' });
    flow.purchase.mockResolvedValueOnce(anOrder('expired'));
    expect(await pay(flow)).toEqual({ kind: 'closed', status: 'expired' });
  });
});
