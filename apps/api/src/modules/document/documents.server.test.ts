import { type Language, languageCodes } from '@fixpoint/contract/languages.ts';
import { drawPdf } from '@fixpoint/testkit/pdf-page.ts';
import { foundIn, readPdf } from '@fixpoint/testkit/pdf-text.ts';
import { readQr } from '@fixpoint/testkit/qr.ts';
import { written } from '@fixpoint/texts/bundles.ts';
import { describe, expect, test } from 'vitest';
import { documentOf, factsOf, textsOf, translatorOf } from '../../../test/document/sample-documents.ts';
import { createTypstRenderer } from '../../adapters/typst/document-renderer.ts';
import { documentContent } from './document-content.ts';
import type { DocumentFacts } from './document-facts.ts';

const renderer = createTypstRenderer();

/** The receipt of an upgrade: a line deducts the unused days of the old plan. */
const changeOf = (language: Language): DocumentFacts => {
  const facts = factsOf('receipt', language);
  const [{ text }] = facts.lines as [DocumentFacts['lines'][number]];
  const of = { ...text, days: 11, period: facts.period! };
  return {
    ...facts,
    purpose: 'upgrade',
    net: 9_000,
    vat: 630,
    total: 9_630,
    lines: [
      { text: { ...of, kind: 'days' }, net: 15_000, vat: 1_050, vatRateBp: 700, total: 16_050 },
      { text: { ...of, kind: 'unused' }, net: -6_000, vat: -420, vatRateBp: 700, total: -6_420 },
    ],
  };
};
describe.runIf(renderer.isAvailable)('FU17 a rendered document (needs its package: npm run setup)', () => {
  test.each(languageCodes)('contains all its texts in %s, without a missing glyph', async language => {
    for (const kind of ['receipt', 'invoice', 'creditNote'] as const) {
      const document = documentOf(kind, language);
      const pdf = await renderer.render(document);
      const { pieces } = readPdf(pdf);
      const { found, of } = foundIn(pieces, textsOf(document));
      expect(found, `${kind} ${pieces.join('').slice(0, found + 40)}`).toBe(of);
      // The card, the seller's tax id, the rate of each line.
      if (kind === 'receipt') expect(pieces.join('')).toContain('Visa •••• 4242');
      expect(pieces.join('')).toContain('0105567000000');
    }
  });

  test('has the page that pays it as a QR code and as a link while it can be paid, and none otherwise', async () => {
    const scanned = async (kind: DocumentFacts['kind']) => {
      const { dots, width, height } = await drawPdf(await renderer.render(documentOf(kind, 'th')), 1.5);
      return readQr(dots, width, height);
    };
    const { payUrl } = factsOf('invoice', 'th');
    expect(await scanned('invoice')).toBe(payUrl);
    expect(readPdf(await renderer.render(documentOf('invoice', 'th'))).source).toContain(`/URI (${payUrl})`);
    expect(await scanned('receipt')).toBeUndefined();
    expect(await scanned('creditNote')).toBeUndefined();
  });

  test('says large until when how much is due, whom it bills, and for which address and period', () => {
    const invoice = documentOf('invoice', 'en');
    expect(invoice.due!.map(({ value }) => value.replaceAll('\u00a0', ' '))).toEqual([
      'December 29, 2026',
      'THB 215.00',
    ]);
    expect(invoice.parties.map(({ lines }) => lines.at(-1))).toEqual([
      'Tax ID: 0105567000000',
      'ann.lee@customer.example',
    ]);
    expect(invoice.lines.map(({ detail }) => detail)).toEqual(
      Array.from({ length: 2 }, () => ['203.150.113.241', 'November 22, 2026 – February 22, 2027']),
    );
    expect(documentOf('receipt', 'en')).not.toHaveProperty('due');
    const erased = documentContent(
      { ...factsOf('receipt', 'en'), email: undefined },
      translatorOf('en'),
      'TH',
    );
    expect(erased.parties[1]!.lines).toEqual(['cus_0123456789abcdefghij']);
    expect(invoice.xml).not.toContain('ann.lee@customer.example');
  });

  test('B24 names credit as the payment method where credit alone paid', async () => {
    for (const language of languageCodes) {
      const facts = { ...factsOf('receipt', language), paidBy: { method: 'credit', card: null } };
      const document = documentContent(facts, translatorOf(language), 'TH');
      const { 'document.paidWith': label, 'document.credit': value } = written.emails[language];
      expect(document.facts, language).toContainEqual({ label, value });
      const { pieces } = readPdf(await renderer.render(document));
      const { found, of } = foundIn(pieces, textsOf(document));
      expect(found, language).toBe(of);
    }
  });

  test('deducts unused days, in every language', async () => {
    for (const language of languageCodes) {
      const document = documentContent(changeOf(language), translatorOf(language), 'TH');
      const { pieces } = readPdf(await renderer.render(document));
      const { found, of } = foundIn(pieces, textsOf(document));
      expect(found, language).toBe(of);
      expect(document.lines[1]!.total, language).toMatch(/^−/);
    }
  });

  test('is PDF/A-3 with embedded fonts and the XML attached, and renders to the same bytes each time', async () => {
    const document = documentOf('receipt', 'kh');
    const pdf = await renderer.render(document);
    expect((await renderer.render(document)).equals(pdf)).toBe(true);
    expect((await createTypstRenderer().render(document)).equals(pdf)).toBe(true);
    const { source, attached } = readPdf(pdf);
    expect(source).toMatch(/pdfaid:part>3<.*pdfaid:conformance>B</s);
    expect(source).toMatch(/\/OutputIntents?/);
    expect(source).toMatch(/\/AFRelationship \/Alternative/);
    const count = (pattern: RegExp) => [...source.matchAll(pattern)].length;
    expect(count(/\/FontFile[23]? \d/g)).toBe(count(/\/Type \/FontDescriptor/g));
    expect(attached.get('factur-x.xml')).toBe(document.xml);
  });

  test('B24 states the amount due and what paid the rest; nothing is due on a receipt', () => {
    const sums = (kind: DocumentFacts['kind'], of: Partial<DocumentFacts> = {}) =>
      documentContent({ ...factsOf(kind, 'en'), ...of }, translatorOf('en'), 'TH').totals.map(
        ({ label, value }) => `${label} ${value}`.replaceAll('\u00a0', ' '),
      );
    const covered = ['Unused days of the old subscription −THB 11.00', 'Credit used −THB 23.00'];
    expect(sums('invoice').slice(2)).toEqual([
      ...['Total THB 299.00', ...covered, 'Amount paid −THB 50.00', 'To pay THB 215.00'],
    ]);
    expect(sums('receipt').slice(2)).toEqual([
      ...['Total THB 299.00', ...covered, 'Amount paid −THB 265.00', 'To pay THB 0.00'],
    ]);
    // Rows of zero are left out.
    const settled = { prorated: 0, creditUsed: 29_900, paid: 0, due: 0 };
    expect(sums('receipt', { settled }).slice(2)).toEqual([
      ...['Total THB 299.00', 'Credit used −THB 299.00', 'To pay THB 0.00'],
    ]);
    expect(sums('creditNote')).toHaveLength(3);
  });

  test('never interprets texts as markup', async () => {
    const document = { ...documentOf('receipt', 'en'), title: '*a* #panic("b") $c$ <d> \\e @f' };
    const { pieces } = readPdf(await renderer.render(document));
    const { found, of } = foundIn(pieces, textsOf(document));
    expect(found).toBe(of);
    expect(pieces.join('')).toContain(document.title);
  });
});

describe('the machine-readable invoice', () => {
  const amounts = (xml: string, name: string) =>
    [...xml.matchAll(new RegExp(`<ram:${name}[^>]*>([\\d.]+)<`, 'g'))].map(([, value]) => Number(value));

  test('states the same amounts by VAT rate, and that they are paid', () => {
    const { xml } = documentOf('receipt', 'en');
    expect(xml).toContain('<ram:TypeCode>380</ram:TypeCode>');
    expect(amounts(xml, 'LineTotalAmount')).toEqual([185.98, 100, 285.98]);
    expect(amounts(xml, 'CalculatedAmount')).toEqual([13.02, 0]);
    expect(amounts(xml, 'BasisAmount')).toEqual([185.98, 100]);
    expect(amounts(xml, 'GrandTotalAmount')).toEqual([299]);
    expect([amounts(xml, 'TotalPrepaidAmount'), amounts(xml, 'DuePayableAmount')]).toEqual([[299], [0]]);
    // The day in Bangkok, which is one day ahead of UTC here.
    expect(xml).toContain('<udt:DateTimeString format="102">20261122</udt:DateTimeString>');
    expect(xml).toContain('&#60;Bangkok&#62;');
  });

  test('deducts a line by a negative quantity, because the standard allows no negative price (BR-27)', () => {
    const { xml } = documentContent(changeOf('en'), translatorOf('en'), 'TH');
    expect(xml).not.toMatch(/<ram:ChargeAmount>-/);
    expect(xml).toMatch(/<ram:BilledQuantity unitCode="C62">-1</);
    expect(xml).toContain('<ram:LineTotalAmount>-60.00<');
    expect(amounts(xml, 'GrandTotalAmount')).toEqual([96.3]);
    // One rate has one taxable amount.
    expect(amounts(xml, 'BasisAmount')).toEqual([90]);
    expect(amounts(xml, 'CalculatedAmount')).toEqual([6.3]);
  });

  test('B24 states the amount due of an open invoice, and the invoice that a credit note corrects', () => {
    const { xml } = documentOf('invoice', 'en');
    // BT-113 is the amount paid, BT-115 the amount due, which requires payment terms (BR-CO-25).
    expect([amounts(xml, 'TotalPrepaidAmount'), amounts(xml, 'DuePayableAmount')]).toEqual([[84], [215]]);
    expect(xml).toContain('<ram:SpecifiedTradePaymentTerms>');
    const note = documentOf('creditNote', 'en').xml;
    expect(note).toContain('<ram:TypeCode>381</ram:TypeCode>');
    expect(note).toMatch(/InvoiceReferencedDocument><ram:IssuerAssignedID>2026-000007</);
  });
});
