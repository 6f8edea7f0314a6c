import { creditOf } from '@fixpoint/domain/billing/credit.ts';
import { lineTotals, settlementOf, sumOf } from '@fixpoint/domain/billing/invoice.ts';
import fc from 'fast-check';
import type { CiiInvoice } from '../cii.ts';

const seller = { brand: 'Fixpoint', company: 'Fixpoint & <Co>', address: '1 "Road"', taxId: '0105567000000' };
const text = fc
  .string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(...'aZ &<>"\'ก中') })
  .map(s => `x${s}`);
const STEPS = { THB: 1, USD: 1, JPY: 100 } as const;
const currency = fc.constantFrom(...(['THB', 'USD', 'JPY'] as const));

/** Lines of a document: one, several with different VAT rates, or with deductions of unused days. */
const linesOf = (code: keyof typeof STEPS, rates: readonly number[]) =>
  fc
    .record({
      gross: fc.array(fc.integer({ min: 1, max: 200_000 }), { minLength: 1, maxLength: 3 }),
      rate: fc.array(fc.constantFrom(...rates), { minLength: 3, maxLength: 3 }),
      item: text,
      less: fc.boolean(),
    })
    .map(({ gross, rate, item, less }) =>
      gross.map((amount, i) => {
        const totals = lineTotals(code, amount * STEPS[code], rate[i]!);
        const taken = less && i > 0 && gross[0]! > gross.slice(1).reduce((sum, each) => sum + each, 0);
        const sign = taken ? -1 : 1;
        const { net, vat, total } = totals;
        return { item, net: sign * net, vat: sign * vat, total: sign * total, vatRateBp: rate[i]! };
      }),
    );

const typed = { name: text, line1: text, email: fc.constant('ann@example.com') };
/** Companies of the three kinds of tax numbers, with every optional field and without. */
const company = fc.oneof(
  fc.record({
    ...typed,
    country: fc.constant('TH'),
    line2: text,
    city: text,
    region: text,
    postcode: fc.constant('10110'),
    taxId: fc.constant('0105567000005'),
    branch: fc.constantFrom('00000', '00012'),
  }),
  fc.record({
    ...typed,
    country: fc.constant('DE'),
    city: text,
    postcode: fc.constant('10115'),
    taxId: fc.constantFrom('DE123456789', undefined),
    purchaseOrder: text,
  }),
  fc.record({ name: text, line1: text, country: fc.constant('SG'), taxId: text }),
);
const buyer = fc.option(company, { nil: undefined }).map(of => ({ id: 'cus_1', ...(of && { company: of }) }));

/** A paid invoice with these lines; `of` changes its fields. */
export const common = (code: string, lines: CiiInvoice['lines'], of: Partial<CiiInvoice>): CiiInvoice => ({
  number: '2026-000001',
  issuedAt: '2026-11-22',
  currency: code,
  seller,
  country: 'TH',
  kind: 'invoice',
  buyer: { id: 'cus_1' },
  reference: '7K3M-9QXD-2H',
  lines,
  ...sumOf(lines),
  due: 0,
  ...of,
});

/** Invoices that are open or paid, by credit, unused days and money; of sellers with VAT registration, or without any VAT. */
export const invoices = fc
  .record({ code: currency, registered: fc.boolean() })
  .chain(({ code, registered }) =>
    fc
      .record({
        lines: linesOf(code, registered ? [0, 700, 1_000, 2_050] : [0]),
        parts: fc.tuple(fc.nat(100), fc.nat(100), fc.nat(100)),
        isPaid: fc.boolean(),
        hasPeriod: fc.boolean(),
        buyer,
      })
      .map(({ lines, parts, isPaid, hasPeriod, buyer: by }) => {
        const { total } = sumOf(lines);
        const [creditUsed, prepaid, prorated] = parts.map(part => Math.floor((total * part) / 300));
        const covered = { creditUsed: creditUsed!, prepaid: prepaid!, prorated: prorated! };
        return {
          step: STEPS[code],
          of: common(code, lines, {
            seller: registered ? seller : { ...seller, taxId: '' },
            buyer: by,
            due: settlementOf(total, covered, isPaid).due,
            ...(hasPeriod && { period: { from: '2026-11-22', to: '2027-02-22' } }),
          }),
        };
      }),
  );

/** Credit notes over a part or all of an invoice with one VAT rate. */
export const notes = fc
  .record({
    code: currency,
    gross: fc.integer({ min: 1, max: 200_000 }),
    part: fc.integer({ min: 1, max: 100 }),
    buyer,
  })
  .map(({ code, gross, part, buyer: by }) => {
    const step = STEPS[code];
    const all = lineTotals(code, gross * step, 700);
    const amount = Math.max(Math.floor((gross * part) / 100), 1) * step;
    const line = { ...creditOf(code, amount, 700, all), item: 'Solo', vatRateBp: 700 };
    return { step, of: common(code, [line], { kind: 'creditNote', buyer: by, ofInvoice: '2026-000001' }) };
  });
