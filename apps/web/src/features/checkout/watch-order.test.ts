import type { OrderStatus } from '@fixpoint/contract/live.ts';
import { formatMetadata } from '@fixpoint/contract/metadata.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LiveHandlers } from '../../server/live.ts';
import { watchOrder } from './watch-order.ts';

const metadata = formatMetadata({
  category: 'vpn',
  reference: '00000000-1111-2222-3333-444444444444',
  productId: 'prd_1',
  check: 'check-1',
});

function watch(status: OrderStatus = 'awaitingPayment', believesFail = () => true) {
  const live = { orderCheck: vi.fn(), close: vi.fn() };
  let handlers: LiveHandlers = {};
  let token = '';
  const readStatus = vi.fn(async () => status);
  const onOutcome = vi.fn();
  const onUpdate = vi.fn();
  const onStatus = vi.fn();
  const stop = watchOrder({
    metadata,
    readStatus,
    onOutcome,
    onUpdate,
    onStatus,
    believesFail,
    pollMs: 5000,
    open: (askToken, given) => {
      token = askToken();
      handlers = given;
      return live;
    },
  });
  return { live, readStatus, onOutcome, onUpdate, onStatus, stop, token, say: () => handlers };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('with a live connection', () => {
  test('W33 asks with the check value at once and every 5 seconds', () => {
    const { live, readStatus, say, token } = watch();
    expect(token).toBe('00000000111122223333444444444444');
    say().connect?.();
    vi.advanceTimersByTime(10_000);
    expect(live.orderCheck.mock.calls).toEqual([['check-1'], ['check-1'], ['check-1']]);
    expect(readStatus).not.toHaveBeenCalled();
  });

  test('success in any letter case stops polling and disconnects', () => {
    const { live, onOutcome, say } = watch();
    say().connect?.();
    say().orderCheck?.('pending');
    expect(onOutcome).not.toHaveBeenCalled();
    say().orderCheck?.('SUCCESS' as 'success');
    say().STATUS?.({ status: 'paid' });
    expect(onOutcome).toHaveBeenCalledExactlyOnceWith('success');
    expect(live.close).toHaveBeenCalled();
    vi.advanceTimersByTime(20_000);
    expect(live.orderCheck).toHaveBeenCalledTimes(1);
  });

  test('updates without an outcome are reported until there is one', () => {
    const { onUpdate, onOutcome, say } = watch();
    say().STATUS?.({ status: 'awaitingPayment' });
    expect(onUpdate).toHaveBeenCalledTimes(1);
    say().STATUS?.({ status: 'paid' });
    say().STATUS?.({ status: 'awaitingPayment' });
    expect(onUpdate).toHaveBeenCalledTimes(1);
    expect(onOutcome).toHaveBeenCalledExactlyOnceWith('success');
  });

  test('W34 every STATUS event is reported, with an outcome or without', () => {
    const { onStatus, say } = watch();
    say().STATUS?.({ status: 'awaitingPayment' });
    say().STATUS?.({ status: 'paid' });
    expect(onStatus).toHaveBeenCalledTimes(2);
  });

  test('fail is about the payment before until this one has begun', () => {
    let begun = false;
    const { onOutcome, live, say } = watch('failed', () => begun);
    say().connect?.();
    say().orderCheck?.('fail');
    say().STATUS?.({ status: 'failed' });
    expect(onOutcome).not.toHaveBeenCalled();
    vi.advanceTimersByTime(5000);
    expect(live.orderCheck).toHaveBeenCalledTimes(2);
    begun = true;
    say().orderCheck?.('fail');
    expect(onOutcome).toHaveBeenCalledExactlyOnceWith('fail');
  });

  test('fail ends it, and so does a status that means failure', () => {
    const failed = watch();
    failed.say().orderCheck?.('fail');
    expect(failed.onOutcome).toHaveBeenCalledExactlyOnceWith('fail');
    const expired = watch();
    expired.say().STATUS?.({ status: 'expired' });
    expect(expired.onOutcome).toHaveBeenCalledExactlyOnceWith('fail');
  });
});

describe('without a live connection', () => {
  test('asks over HTTP after 3 seconds and then every 5', async () => {
    const { readStatus, onOutcome } = watch('fulfilled');
    await vi.advanceTimersByTimeAsync(2900);
    expect(readStatus).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(200);
    expect(onOutcome).toHaveBeenCalledExactlyOnceWith('success');
  });

  test('goes on over HTTP when the connection drops, and survives faults', async () => {
    const { readStatus, live, say, onOutcome } = watch();
    say().connect?.();
    say().disconnect?.();
    readStatus.mockRejectedValueOnce(new Error('offline'));
    await vi.advanceTimersByTimeAsync(15_000);
    expect(readStatus.mock.calls.length).toBeGreaterThanOrEqual(3);
    expect(live.orderCheck).toHaveBeenCalledTimes(1);
    expect(onOutcome).not.toHaveBeenCalled();
  });
});
