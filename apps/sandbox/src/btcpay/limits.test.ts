import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STORE, startBtcpayHarness } from '../testing/btcpay-harness.ts';

const DAY_MS = 86_400_000;

let btcpay: Awaited<ReturnType<typeof startBtcpayHarness>>;
beforeAll(async () => {
  btcpay = await startBtcpayHarness();
  // 1 baht is 100 satoshi, so 2.94 baht is the dust limit.
  await btcpay.control('btcpay/rate', { currency: 'THB', rate: '1000000' });
});
afterAll(() => btcpay.stop());

const pay = (invoice: string, how: object = {}) => btcpay.control('btcpay/pay', { invoice, ...how });
const confirm = (invoice: string) => btcpay.control('btcpay/confirm', { invoice });
const reorganise = (invoice: string, how: object = {}) =>
  btcpay.control('btcpay/reorganise', { invoice, ...how });
const create = (amount: string) =>
  btcpay.ask(`stores/${STORE}/invoices`, { amount, currency: 'THB', metadata: { orderId: 'att_1-1' } });
const allPayments = async (id: string): Promise<{ status: string }[]> =>
  (await btcpay.ask(`stores/${STORE}/invoices/${id}/payment-methods?onlyAccountedPayments=false`)).body[0]
    .payments;
const eventsAfter = async (id: string, act: () => Promise<unknown>) => {
  await btcpay.catchUp();
  const before = btcpay.typesOf(id).length;
  await act();
  await btcpay.catchUp();
  return btcpay.typesOf(id).slice(before);
};

describe('dust', () => {
  it('is no invoice', async () => {
    expect(await create('2.93')).toEqual({
      status: 400,
      body: { code: 'generic-error', message: expect.stringContaining('Amount below the dust threshold.') },
    });
    expect((await create('2.94')).body.status).toBe('New');
  });

  it('is not relayed as a payment', async () => {
    const id = (await create('10.00')).body.id;
    await expect(pay(id, { amount: '0.00000293' })).rejects.toThrow('dust');
    expect(await allPayments(id)).toEqual([]);
    await pay(id, { amount: '0.00000998' });
    // Two satoshi are missing, which nobody can send.
    await expect(pay(id)).rejects.toThrow('dust');
    await pay(id, { amount: '0.00000294' });
    expect(await btcpay.state(id)).toBe('Processing (PaidOver)');
  });

  it('is cancelled as a payout when the operator approves it', async () => {
    const id = (await create('10.00')).body.id;
    await pay(id);
    await confirm(id);
    const settled = async (amount: string) => {
      const { body: pull } = await btcpay.ask(`stores/${STORE}/invoices/${id}/refund`, {
        name: 'ref_1',
        description: 'Refund',
        payoutMethodId: 'BTC-CHAIN',
        refundVariant: 'Custom',
        customAmount: amount,
        customCurrency: 'THB',
      });
      const claim = { destination: 'bcrt1qmine', payoutMethodId: 'BTC-CHAIN' };
      await btcpay.ask(`pull-payments/${pull.id}/payouts`, claim);
      await btcpay.control('btcpay/payouts/settle', { pullPayment: pull.id, outcome: 'Completed' });
      return (await btcpay.ask(`pull-payments/${pull.id}/payouts?includeCancelled=true`)).body[0].state;
    };
    expect([await settled('2.93'), await settled('2.94')]).toEqual(['Cancelled', 'Completed']);
  });
});

describe('a longer chain', () => {
  it('makes coins wait for another block, while the invoice stays settled', async () => {
    const id = await btcpay.newInvoice();
    await pay(id);
    await confirm(id);
    expect(await eventsAfter(id, () => reorganise(id))).toEqual([]);
    expect(await btcpay.state(id)).toBe('Settled (None)');
    expect(await allPayments(id)).toMatchObject([{ status: 'Processing' }]);
    expect(await eventsAfter(id, () => confirm(id))).toEqual(['InvoicePaymentSettled']);
  });

  it('takes the coins of a settled invoice, which stays settled, and no event tells', async () => {
    const id = await btcpay.newInvoice();
    await pay(id);
    await confirm(id);
    expect(await eventsAfter(id, () => reorganise(id, { replaced: true }))).toEqual([]);
    expect(await btcpay.invoice(id)).toMatchObject({ status: 'Settled', paidAmount: '0' });
    expect(await btcpay.method(id)).toMatchObject({ totalPaid: '0', payments: [] });
    expect(await allPayments(id)).toMatchObject([{ status: 'Invalid' }]);
    await btcpay.advance(2 * DAY_MS);
    expect(await btcpay.state(id)).toBe('Settled (None)');
  });

  it('takes one of two payments, and an invoice that is not settled waits for the rest', async () => {
    const id = await btcpay.newInvoice();
    await pay(id, { share: 0.5 });
    await confirm(id);
    await pay(id);
    expect(await btcpay.state(id)).toBe('Processing (None)');
    const [first] = (await btcpay.method(id)).payments;
    await reorganise(id, { payment: first.id, replaced: true });
    expect(await btcpay.state(id)).toBe('New (PaidPartial)');
    expect((await allPayments(id)).map(({ status }) => status)).toEqual(['Invalid', 'Processing']);
  });

  it('leaves a payment unconfirmed until its invoice is invalid', async () => {
    const id = await btcpay.newInvoice();
    await pay(id, { share: 0.5 });
    await confirm(id);
    await pay(id);
    await reorganise(id);
    expect(await btcpay.state(id)).toBe('Processing (None)');
    const told = await eventsAfter(id, () => btcpay.advance(2 * DAY_MS));
    expect(told).toEqual(['InvoiceInvalid']);
    expect(await btcpay.state(id)).toBe('Invalid (None)');
  });
});

it('every answer fits BTCPay’s API', () => expect(btcpay.wrong).toEqual([]));
