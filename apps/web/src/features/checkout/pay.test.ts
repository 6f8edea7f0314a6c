import { describe, expect, test, vi } from 'vitest';
import { Fault, Refusal } from '../../lib/faults.ts';
import type { CardResult } from './card-messages.ts';
import { type OrderState, pay } from './pay.ts';

const anOrder = (status: OrderState['status'], more: Partial<OrderState> = {}): OrderState => ({
  reference: 'r',
  status,
  version: 1,
  total: { currency: 'THB', price: 100, net: 93, vat: 7 },
  payment: {
    method: 'card',
    payable: { kind: 'confirm', clientSecret: 'secret', requiresAction: false },
  },
  ...more,
});
const taken: CardResult = {};
const refusedWith = (error: CardResult['error']): CardResult => ({ error });

function steps(card: CardResult = taken) {
  return {
    purchase: vi.fn(async () => anOrder('awaitingPayment')),
    confirmCard: vi.fn(async () => card),
    confirmPurchase: vi.fn(async () => anOrder('paid')),
    onCharged: vi.fn(),
  };
}

describe('pay', () => {
  test('settles at once when the provider took the card', async () => {
    const flow = steps();
    expect(await pay(flow)).toEqual({ kind: 'settled' });
    expect(flow.confirmCard).toHaveBeenCalledExactlyOnceWith('secret');
  });

  test('never asks the card of an order that is paid already (second window)', async () => {
    const flow = steps();
    flow.purchase.mockResolvedValue(anOrder('fulfilled'));
    expect(await pay(flow)).toEqual({ kind: 'settled' });
    expect(flow.confirmCard).not.toHaveBeenCalled();
  });

  test.each([
    [
      { type: 'card_error', code: 'card_declined', decline_code: 'generic_decline' },
      { kind: 'declined', code: '2002' },
    ],
    [
      { type: 'card_error', decline_code: 'stolen_card' },
      { kind: 'declined', code: '2002' },
    ],
    [
      { type: 'card_error', decline_code: 'insufficient_funds' },
      { kind: 'declined', code: 'insufficient_funds' },
    ],
    [{ code: 'payment_intent_authentication_failure' }, { kind: 'authenticationFailed' }],
    [
      { type: 'validation_error', message: 'Incomplete' },
      { kind: 'cardInvalid', message: 'Incomplete' },
    ],
  ] as [CardResult['error'], object][])('explains %j', async (error, outcome) => {
    const flow = steps(refusedWith(error));
    expect(await pay(flow)).toEqual(outcome);
    expect(flow.confirmPurchase).not.toHaveBeenCalled();
  });

  test('asks the server when the card error does not say that nothing was charged', async () => {
    const lost = steps(refusedWith({ type: 'api_connection_error' }));
    expect(await pay(lost)).toEqual({ kind: 'settled' });
    const twice = steps(
      refusedWith({ type: 'invalid_request_error', code: 'payment_intent_unexpected_state' }),
    );
    expect(await pay(twice)).toEqual({ kind: 'settled' });
  });

  test('is to be tried again when neither provider nor server has the payment', async () => {
    const lost = steps(refusedWith({ type: 'api_connection_error' }));
    lost.confirmPurchase.mockResolvedValueOnce(anOrder('awaitingPayment'));
    await expect(pay(lost)).rejects.toThrow(Fault);
    lost.confirmPurchase.mockRejectedValueOnce(new Fault());
    await expect(pay(lost)).rejects.toThrow(Fault);
    const twice = steps(
      refusedWith({ type: 'invalid_request_error', code: 'payment_intent_unexpected_state' }),
    );
    twice.confirmPurchase.mockResolvedValueOnce(anOrder('awaitingPayment'));
    expect(await pay(twice)).toEqual({ kind: 'processing' });
  });

  test('not knowing is waiting, not failing', async () => {
    const flow = steps();
    flow.confirmPurchase.mockRejectedValueOnce(new Fault());
    expect(await pay(flow)).toEqual({ kind: 'processing' });
    flow.confirmPurchase.mockRejectedValueOnce(new Refusal('9901', 503));
    expect(await pay(flow)).toEqual({ kind: 'processing' });
    flow.confirmPurchase.mockResolvedValueOnce(anOrder('awaitingPayment'));
    expect(await pay(flow)).toEqual({ kind: 'processing' });
  });

  test('hands on the refusal that the server reports', async () => {
    const flow = steps();
    flow.confirmPurchase.mockResolvedValueOnce(anOrder('failed', { failure: 'insufficient_funds' }));
    expect(await pay(flow)).toEqual({ kind: 'declined', code: 'insufficient_funds' });
    flow.confirmPurchase.mockRejectedValueOnce(new Refusal('2002', 400));
    expect(await pay(flow)).toEqual({ kind: 'declined', code: '2002' });
    flow.purchase.mockResolvedValueOnce(anOrder('expired'));
    expect(await pay(flow)).toEqual({ kind: 'closed', status: 'expired' });
  });
});
