import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { creditOf } from '@fixpoint/domain/billing/credit.ts';
import { lineTotals, settlementOf, sumOf } from '@fixpoint/domain/billing/invoice.ts';
import { en16931Faults } from '@fixpoint/testkit/en16931.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CiiInvoice, ciiOf } from './cii.ts';

/* The invoice for a machine by the rules of EN 16931, for every kind of document that the shop makes. */

const seller = { brand: 'Fixpoint', company: 'Fixpoint & <Co>', address: '1 "Road"', taxId: '0105567000000' };
const text = fc
  .string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(...'aZ &<>"\'ก中') })
  .map(s => `x${s}`);
const STEPS = { THB: 1, USD: 1, JPY: 100 } as const;
const currency = fc.constantFrom(...(['THB', 'USD', 'JPY'] as const));

/** One line; with what is left of another plan taken off; or of before and after another rate. */
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

const common = (code: string, lines: CiiInvoice['lines'], of: Partial<CiiInvoice>): CiiInvoice => ({
  number: '2026-000001',
  issuedAt: '2026-11-22',
  currency: code,
  seller,
  country: 'TH',
  kind: 'invoice',
  buyer: 'cus_1',
  reference: '7K3M-9QXD-2H',
  lines,
  ...sumOf(lines),
  due: 0,
  ...of,
});

/** Open or paid, by credit, unused days and money; registered for VAT or not, and then without any. */
const invoices = fc.record({ code: currency, registered: fc.boolean() }).chain(({ code, registered }) =>
  fc
    .record({
      lines: linesOf(code, registered ? [0, 700, 1_000, 2_050] : [0]),
      parts: fc.tuple(fc.nat(100), fc.nat(100), fc.nat(100)),
      isPaid: fc.boolean(),
      hasPeriod: fc.boolean(),
    })
    .map(({ lines, parts, isPaid, hasPeriod }) => {
      const { total } = sumOf(lines);
      const [creditUsed, prepaid, carried] = parts.map(part => Math.floor((total * part) / 300));
      const covered = { creditUsed: creditUsed!, prepaid: prepaid!, carried: carried! };
      return {
        step: STEPS[code],
        of: common(code, lines, {
          seller: registered ? seller : { ...seller, taxId: '' },
          due: settlementOf(total, covered, isPaid).due,
          ...(hasPeriod && { period: { from: '2026-11-22', to: '2027-02-22' } }),
        }),
      };
    }),
);

/** Of an invoice with one rate, a part or all of it. */
const notes = fc
  .record({
    code: currency,
    gross: fc.integer({ min: 1, max: 200_000 }),
    part: fc.integer({ min: 1, max: 100 }),
  })
  .map(({ code, gross, part }) => {
    const step = STEPS[code];
    const all = lineTotals(code, gross * step, 700);
    const amount = Math.max(Math.floor((gross * part) / 100), 1) * step;
    const line = { ...creditOf(code, amount, 700, all), item: 'Solo', vatRateBp: 700 };
    return { step, of: common(code, [line], { kind: 'creditNote', ofInvoice: '2026-000001' }) };
  });

test('B25 keeps the rules of EN 16931, whatever is sold, in each currency and however it is paid', () => {
  fc.assert(
    fc.property(fc.oneof(invoices, notes), ({ of, step }) => {
      expect(en16931Faults(ciiOf(of), step)).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});

test('B25 those rules notice an amount that is wrong, an element in another place and a seller that no program knows again', () => {
  const line = { item: 'Solo', net: 18_598, vat: 1_302, vatRateBp: 700, total: 19_900 };
  const xml = ciiOf(common('THB', [line], { due: 5_000 }));
  expect(en16931Faults(xml)).toEqual([]);
  const faults = (pattern: RegExp | string, by: string) => en16931Faults(xml.replace(pattern, by));
  expect(faults('>149.00<', '>148.00<')).toEqual(['BR-CO-16']);
  expect(faults(/(<ram:CalculatedAmount>)13.02/, '$113.05')).toEqual(['BR-CO-14', 'BR-CO-17']);
  expect(faults(/(<ram:BasisAmount>)185.98/, '$1185.00')).toEqual(['BR-CO-17', 'BR-S-08, BR-Z-08, BR-O-08']);
  expect(faults(/(<ram:GrandTotalAmount>)199.00/, '$1199.001')).toEqual(['BR-CO-15', 'BR-CO-16']);
  expect(faults(/<ram:SpecifiedTradePaymentTerms>.*<\/ram:SpecifiedTradePaymentTerms>/, '')).toEqual([
    'BR-CO-25',
  ]);
  expect(faults(/<ram:SellerTradeParty><ram:ID>\d+<\/ram:ID>/, '<ram:SellerTradeParty>')).toEqual([
    'BR-CO-26',
  ]);
  expect(faults(/<ram:SpecifiedTaxRegistration>.*?<\/ram:SpecifiedTaxRegistration>/, '')).toEqual([
    'BR-S-02, BR-Z-02',
  ]);
  expect(faults(/(<ram:ID>2026-000001<\/ram:ID>)(<ram:TypeCode>380<\/ram:TypeCode>)/, '$2$1')).toEqual([
    'order: ID in ExchangedDocument',
  ]);
});

/*
 * The standard's own rules and schema are not ours to keep here. Where somebody has them they are asked too: `EN16931_XSLT` is
 * the stylesheet of CEN's rules for CII (java with libsaxonhe-java), `EN16931_XSD` a schema of CII (libxml2-utils).
 */
const { EN16931_XSLT, EN16931_XSD } = process.env;

/** Forty documents, each in a file of a folder. */
function inFolder(work: (folder: string, files: string[]) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'en16931-'));
  try {
    const samples = fc.sample(fc.oneof(invoices, notes), { numRuns: 40, seed: 16_931 });
    const files = samples.map((_, i) => join(folder, `${i}.xml`));
    for (const [i, { of }] of samples.entries()) writeFileSync(files[i]!, ciiOf(of));
    work(folder, files);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.skipIf(!EN16931_XSD)('B25 the schema of others allows what we write (needs EN16931_XSD)', () => {
  inFolder((_, files) => {
    execFileSync('xmllint', ['--noout', '--schema', EN16931_XSD!, ...files], { stdio: 'pipe' });
  });
});

test.skipIf(!EN16931_XSLT)(
  'B25 the rules of others allow what we write (needs EN16931_XSLT)',
  { timeout: 300_000 },
  () => {
    inFolder((folder, files) => {
      const saxon = ['-jar', '/usr/share/java/Saxon-HE.jar', `-s:${folder}`, `-xsl:${EN16931_XSLT}`];
      mkdirSync(join(folder, 'said'));
      execFileSync('java', [...saxon, `-o:${folder}/said`], { stdio: 'pipe' });
      for (const file of files) {
        const said = readFileSync(join(folder, 'said', basename(file)), 'utf8');
        const failed = [...said.matchAll(/<svrl:failed-assert.*?<svrl:text>(.*?)<\/svrl:text>/gs)];
        expect(failed.map(([, fault]) => fault)).toEqual([]);
        expect(said).toContain('<svrl:fired-rule');
      }
    });
  },
);
