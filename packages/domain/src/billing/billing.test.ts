import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unreachable } from '../testing/unreachable.ts';
import { creditOf } from './credit.ts';
import {
  byCreditAlone,
  type InvoiceStatus,
  invoiceTransitions,
  lineTotals,
  restOf,
  settle,
  settlementOf,
  sumOf,
  takesMoney,
} from './invoice.ts';
import {
  bookCarriedEnded,
  bookCredit,
  bookCredited,
  bookDispute,
  bookDueWrittenOff,
  bookFee,
  bookGoodwill,
  bookOutOfBand,
  bookPaid,
  bookRefund,
  bookReserved,
  bookUnapplied,
  type Entry,
  reversed,
} from './ledger.ts';

test('every state of an invoice can be reached', () => {
  expect(unreachable(invoiceTransitions, 'draft')).toEqual([]);
});

test('FC1 only drafts and open invoices take money', () => {
  const statuses = Object.keys(invoiceTransitions) as InvoiceStatus[];
  expect(statuses.filter(takesMoney)).toEqual(['draft', 'open']);
});

const amount = fc.integer({ min: 1, max: 10_000_000 });

test('the VAT of an invoice is the sum of its lines, each rounded half-up', () => {
  expect(lineTotals('THB', 19_900, 700)).toEqual({ net: 18_598, vat: 1_302, total: 19_900 });
  // 3 × 0.05: each line is rounded by itself, 7/107 of 5 is 0.327.
  expect(sumOf([lineTotals('THB', 8, 700), lineTotals('THB', 8, 700)])).toEqual({
    net: 14,
    vat: 2,
    total: 16,
  });
  fc.assert(
    fc.property(
      fc.array(amount, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 0, max: 3000 }),
      (all, rate) => {
        const lines = all.map(gross => lineTotals('THB', gross, rate));
        const sum = sumOf(lines);
        expect(sum.net + sum.vat).toBe(sum.total);
        expect(sum.total).toBe(all.reduce((a, b) => a + b, 0));
        for (const { net, vat } of lines)
          expect(Math.abs(vat - (net * rate) / 10_000)).toBeLessThanOrEqual(1);
      },
    ),
  );
});

test('B24 the settlement of an invoice adds up: prepaid money counts as paid, and a paid invoice has nothing due', () => {
  const covered = { creditUsed: 30, prepaid: 50, prorated: 20 };
  expect(restOf(199, covered)).toBe(99);
  expect(settlementOf(199, covered, false)).toEqual({ prorated: 20, creditUsed: 30, paid: 50, due: 99 });
  expect(settlementOf(199, covered, true)).toEqual({ prorated: 20, creditUsed: 30, paid: 149, due: 0 });
  fc.assert(
    fc.property(fc.tuple(amount, amount, amount, amount), fc.boolean(), (parts, isPaid) => {
      const [rest, creditUsed, prepaid, prorated] = parts;
      const total = rest + creditUsed + prepaid + prorated;
      const said = settlementOf(total, { creditUsed, prepaid, prorated }, isPaid);
      expect(said.prorated + said.creditUsed + said.paid + said.due).toBe(total);
    }),
  );
});

test('an invoice without any payment was paid by credit alone, unless unused days paid all of it', () => {
  const paidBy = (covered: Partial<Parameters<typeof restOf>[1]>, isPaid = true) =>
    byCreditAlone(settlementOf(199, { creditUsed: 0, prepaid: 0, prorated: 0, ...covered }, isPaid));
  expect([paidBy({ creditUsed: 199 }), paidBy({ creditUsed: 99, prorated: 100 })]).toEqual([true, true]);
  expect([paidBy({ prorated: 199 }), paidBy({}), paidBy({ creditUsed: 99 })]).toEqual([false, false, false]);
  expect([paidBy({ creditUsed: 99, prepaid: 100 }), paidBy({ creditUsed: 99 }, false)]).toEqual([
    false,
    false,
  ]);
});

describe('credit notes', () => {
  const credited = (rate: number, parts: number[]) => {
    const total = parts.reduce((a, b) => a + b, 0);
    const invoice = lineTotals('THB', total, rate);
    let left = invoice;
    const notes = parts.map(part => {
      const note = creditOf('THB', part, rate, left);
      left = sumOf([left, { net: -note.net, vat: -note.vat, total: -note.total }]);
      return note;
    });
    return { invoice, notes };
  };

  test.each([
    [
      [10_000, 9_900],
      [654, 648],
    ],
    // Each note is rounded by itself, to nothing or to one; the last one takes the remainder.
    [
      [7, 7, 7],
      [0, 0, 1],
    ],
    [
      [8, 8, 8],
      [1, 1, 0],
    ],
    // No more than there is.
    [
      [8, 8, 8, 1],
      [1, 1, 0, 0],
    ],
  ])('over %j have the VAT amounts %j', (parts, vats) => {
    expect(credited(700, parts).notes.map(({ vat }) => vat)).toEqual(vats);
  });

  test('sum up to the invoice, however it is credited, and each one adds up', () => {
    const parts = fc.array(fc.oneof(amount, fc.integer({ min: 1, max: 20 })), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3000 }), parts, (rate, amounts) => {
        const { invoice, notes } = credited(rate, amounts);
        expect(sumOf(notes)).toEqual(invoice);
        expect(notes.map(({ total }) => total)).toEqual(amounts);
        for (const { net, vat, total } of notes) {
          expect(net + vat).toBe(total);
          expect(vat).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });
});

describe('money that arrives', () => {
  test.each([
    [19_900, 19_900, { pays: true, unapplied: 0 }],
    [19_900, 20_000, { pays: true, unapplied: 100 }],
    [19_900, 19_899, { pays: false, unapplied: 19_899 }],
    [undefined, 19_900, { pays: false, unapplied: 19_900 }],
  ] as const)('for an invoice with %s due: %d is %j', (due, received, wanted) => {
    expect(settle(due, received)).toEqual(wanted);
  });
});

describe('ledger entries', () => {
  const sum = (entries: Entry[]) => entries.reduce((total, entry) => total + entry.amount, 0);
  const of = (entries: Entry[], account: Entry['account']) =>
    entries.filter(entry => entry.account === account).reduce((total, entry) => total + entry.amount, 0);

  test('always sum to zero', () => {
    fc.assert(
      fc.property(amount, amount, fc.nat({ max: 1000 }), (net, vat, credit) => {
        const used = Math.min(credit, net + vat);
        const money = net + vat - used;
        const paid = bookPaid({
          provider: 'stripe',
          money,
          net,
          vat,
          credit: used,
        });
        for (const entries of [
          paid,
          bookPaid({ provider: 'btcpay', money, net, vat, prepaid: used, prepaidAt: 'stripe' }),
          bookUnapplied('stripe', net),
          bookCredited('c', net),
          bookGoodwill('c', net),
          bookOutOfBand('stripe', net),
          bookFee('stripe', vat),
          bookRefund('stripe', net),
          bookReserved('c', net),
          bookDispute('stripe', 'c', {
            withheld: net,
            fee: vat,
            credited: vat,
            fromCredit: used,
            writtenOff: net,
          }),
        ]) {
          expect(sum(entries)).toBe(0);
          expect(sum(reversed(entries))).toBe(0);
        }
      }),
    );
  });

  test('book revenue, VAT and reserved credit each on its own account', () => {
    const entries = bookPaid({ provider: 'stripe', money: 17_900, net: 18_598, vat: 1_302, credit: 2_000 });
    expect([
      of(entries, 'revenue'),
      of(entries, 'vat'),
      of(entries, 'provider'),
      of(entries, 'reserved'),
    ]).toEqual([-18_598, -1_302, 17_900, 2_000]);
    const aside = bookReserved('cus_a', 2_000);
    expect([of(aside, 'credit'), of(aside, 'reserved')]).toEqual([2_000, -2_000]);
    expect(aside.find(({ account }) => account === 'credit')!.customerId).toBe('cus_a');
  });

  test('clear prepaid money from what is due to its payer, and book kept money as their credit', () => {
    const entries = bookPaid({ provider: 'btcpay', money: 10_000, net: 18_598, vat: 1_302, prepaid: 9_900 });
    expect([of(entries, 'provider'), of(entries, 'refundsDue')]).toEqual([10_000, 9_900]);
    expect([of(bookCredited('cus_a', 500), 'refundsDue'), of(bookCredited('cus_a', 500), 'credit')]).toEqual([
      500, -500,
    ]);
  });

  test('take the fee from the balance at the provider', () => {
    const entries = bookFee('stripe', 900);
    expect([of(entries, 'fees'), of(entries, 'provider')]).toEqual([900, -900]);
    expect(entries.map(({ provider }) => provider)).toEqual(['stripe', 'stripe']);
  });

  test('book a credited sale as due to its payer', () => {
    const entries = bookCredit('stripe', { net: 18_598, vat: 1_302 });
    expect([of(entries, 'revenue'), of(entries, 'vat'), of(entries, 'refundsDue')]).toEqual([
      18_598, 1_302, -19_900,
    ]);
  });

  test('book disputed money and its fee at the provider, and a loss where it was', () => {
    const provider = 'stripe';
    const none = { withheld: 0, fee: 0, credited: 0, fromCredit: 0, writtenOff: 0 };
    expect(bookDispute(provider, 'cus_a', { ...none, withheld: 19_900, fee: 1_500 })).toEqual(
      expect.arrayContaining([
        { account: 'disputed', provider, amount: 19_900 },
        { account: 'fees', provider, amount: 1_500 },
        { account: 'provider', provider, amount: -21_400 },
      ]),
    );
    const lost = { ...none, credited: 9_900, fromCredit: 2_000, writtenOff: 8_000 };
    expect(bookDispute(provider, 'cus_a', lost)).toEqual(
      expect.arrayContaining([
        { account: 'disputed', provider, amount: -19_900 },
        { account: 'refundsDue', provider, amount: 9_900 },
        { account: 'credit', customerId: 'cus_a', amount: 2_000 },
        { account: 'writeOff', provider, amount: 8_000 },
      ]),
    );
    // A guest has no customer record, so the credit cannot name a customer.
    for (const entry of bookDispute(provider, undefined, lost))
      expect(entry).not.toHaveProperty('customerId');
  });

  test('say whose cost it is when nobody is paid, or the shop pays by itself', () => {
    const due = (amount: number) => ({ account: 'refundsDue', amount });
    expect(bookGoodwill('cus_a', 500)).toEqual([
      { account: 'goodwill', amount: 500 },
      { account: 'credit', customerId: 'cus_a', amount: -500 },
    ]);
    expect(bookOutOfBand(undefined, 500)).toEqual([due(500), { account: 'outOfBand', amount: -500 }]);
    expect(bookCarriedEnded(500)).toEqual([{ account: 'goodwill', amount: 500 }, due(-500)]);
    expect(bookDueWrittenOff(undefined, 500)).toEqual([due(500), { account: 'writeOff', amount: -500 }]);
    expect(bookDueWrittenOff('paypal', 500)).toEqual([
      { ...due(500), provider: 'paypal' },
      { account: 'writeOff', provider: 'paypal', amount: -500 },
    ]);
  });

  test('omit the entry of a credit that was not used', () => {
    const entries = bookPaid({ provider: 'stripe', money: 19_900, net: 18_598, vat: 1_302 });
    expect(entries.map(({ account }) => account)).toEqual(['provider', 'revenue', 'vat']);
  });

  test('are reversed account by account', () => {
    const entries = bookRefund('stripe', 19_900);
    const both = [...entries, ...reversed(entries)];
    expect([of(both, 'refundsDue'), of(both, 'provider')]).toEqual([0, 0]);
  });

  // Otherwise money that came by one provider would never be closed there.
  test('FM3 close the refunds due per provider, and those of no provider by themselves', () => {
    const sale = { net: 18_598, vat: 1_302 };
    const due = (entries: Entry[]) => {
      const sums = new Map<string | undefined, number>();
      for (const { account, provider, amount } of entries)
        if (account === 'refundsDue') sums.set(provider, (sums.get(provider) ?? 0) + amount);
      return Object.fromEntries(sums);
    };
    const paid = { ...sale, provider: 'stripe', money: 10_000, prepaid: 9_900, prepaidAt: 'btcpay' };
    expect(due([...bookUnapplied('btcpay', 9_900), ...bookPaid(paid)])).toEqual({ btcpay: 0 });
    expect(due([...bookUnapplied('btcpay', 500), ...bookCredited('cus_a', 500, 'btcpay')])).toEqual({
      btcpay: 0,
    });
    expect(due([...bookCredit('stripe', sale), ...bookRefund('stripe', 19_900)])).toEqual({ stripe: 0 });
    expect(due([...bookCredit('stripe', sale), ...bookOutOfBand('stripe', 19_900)])).toEqual({ stripe: 0 });
    const taken = bookCredit(undefined, sale);
    expect(due([...taken, ...bookCredited('cus_a', 19_900)])).toEqual({ undefined: 0 });
    const prorated = bookPaid({ ...sale, provider: 'stripe', money: 0, prorated: 19_900 });
    expect(due([...taken, ...prorated])).toEqual({ undefined: 0 });
  });

  test('FM3 an unapplied payment is due until its refund is final', () => {
    const due = [...bookUnapplied('stripe', 19_900), ...bookRefund('stripe', 19_900)];
    expect([of(due, 'refundsDue'), of(due, 'provider')]).toEqual([0, 0]);
  });
});
