import { describe, expect, test } from 'vitest';
import type { OpenPayment } from '../../../shop/pay-method.ts';
import { nextScanState } from './scan-state.ts';

const scan = (more: Partial<OpenPayment> = {}): OpenPayment => ({
  method: 'bitcoin',
  nextAction: {
    kind: 'scan',
    text: 'bitcoin:bc1q?amount=0.0001',
    address: 'bc1q',
    amount: '0.0001',
    unit: 'BTC',
    // The server's clock; this page's clock may be hours off.
    expiresAt: '2020-01-01T00:00:00.000Z',
  },
  endsIn: 900,
  ...more,
});
const wait: OpenPayment = {
  method: 'bitcoin',
  nextAction: { kind: 'wait', seen: { amount: '0.0001', unit: 'BTC' } },
};
const NOW = 1_000_000;

describe('what is shown of a scanned payment', () => {
  test('the code, for as long as the server says, whatever this clock says', () => {
    expect(nextScanState(undefined, scan(), NOW)).toMatchObject({
      step: 'scan',
      endsAt: NOW + 900_000,
      gone: false,
    });
  });

  test('that the money was seen, and that it was taken back', () => {
    const seen = nextScanState(nextScanState(undefined, scan(), NOW), wait, NOW);
    expect(seen).toMatchObject({ step: 'wait' });
    const back = nextScanState(seen, scan(), NOW);
    expect(back).toMatchObject({ step: 'scan', gone: true });
    expect(nextScanState(back, scan(), NOW)).toMatchObject({ gone: true });
  });

  test('nothing to pay when the payment is over or gone', () => {
    expect(nextScanState(nextScanState(undefined, scan(), NOW), undefined, NOW)).toEqual({ step: 'over' });
    const card: OpenPayment = {
      method: 'card',
      nextAction: { kind: 'card', ref: 'pi_1' },
    };
    expect(nextScanState(undefined, card, NOW)).toEqual({ step: 'over' });
  });

  test('a new code after the end', () => {
    expect(nextScanState({ step: 'over' }, scan({ endsIn: 10 }), NOW)).toMatchObject({
      step: 'scan',
      endsAt: NOW + 10_000,
      gone: false,
    });
  });
});
