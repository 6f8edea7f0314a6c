import { beforeEach, expect, test, vi } from 'vitest';

vi.mock('./texts.ts', () => ({
  translate: (key: string) => key,
  errorText: (code: string) => `errorCode.${code}`,
  hasText: () => true,
}));

const { problemText, showFailedPayment } = await import('../features/checkout/problem-text.ts');
const { forgetPaymentFailure } = await import('./payment-failure.ts');
const { snacks } = await import('./snack.ts');

const t = (key: string) => key;
const promptPay = { kind: 'declined', code: '2002', declined: 'order.promptpay.declined' } as const;
const card = { kind: 'declined', code: '2002' } as const;
const lastSnack = () => snacks.snapshot().at(-1);
beforeEach(forgetPaymentFailure);

test('W51 a failed payment is a snack with 2002 in the words of its method, and the box says the same', () => {
  for (const [problem, text] of [
    [promptPay, 'order.promptpay.declined'],
    [card, 'errorCode.2002'],
    [{ kind: 'declined', code: 'insufficient_funds' }, 'errorCode.insufficient_funds'],
    [{ kind: 'closed', status: 'expired' }, 'order.expired.title'],
  ] as const) {
    showFailedPayment(problem);
    expect(lastSnack()).toMatchObject({ type: 'error', code: '2002', text });
    expect(problemText(t, problem)).toBe(text);
  }
});

test('W51 what the server last said stands instead of the general text, until the next press on Pay', () => {
  showFailedPayment({ kind: 'refused', text: 'order.card.bankDeclined' });
  showFailedPayment(card);
  expect(lastSnack()).toMatchObject({ code: '2002', text: 'order.card.bankDeclined' });
  forgetPaymentFailure();
  showFailedPayment(card);
  expect(lastSnack()).toMatchObject({ code: '2002', text: 'errorCode.2002' });
});
