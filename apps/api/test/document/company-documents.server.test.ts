import { en16931Faults } from '@fixpoint/testkit/en16931.ts';
import { foundIn, readPdf } from '@fixpoint/testkit/pdf-text.ts';
import { describe, expect, test } from 'vitest';
import { createTypstRenderer } from '../../src/adapters/typst/document-renderer.ts';
import { documentContent } from '../../src/modules/document/document-content.ts';
import type { DocumentFacts } from '../../src/modules/document/document-facts.ts';
import { companies, companyFacts } from './company-documents.ts';
import { factsOf, textsOf, translatorOf } from './sample-documents.ts';

/* Tax invoices for companies: Thai full tax invoice (Revenue Code, section 86/4), and an EU invoice with the buyer's VAT-ID. */

const contentOf = (facts: DocumentFacts) =>
  documentContent(facts, translatorOf(facts.language as 'en'), 'TH');
const shownOn = (facts: DocumentFacts) =>
  textsOf(contentOf(facts)).map(text => text.replaceAll('\u00a0', ' '));

test('a Thai full tax invoice has every item that section 86/4 asks for, in Thai words also in another language', () => {
  const full = shownOn(companyFacts('receipt', 'th'));
  for (const item of [
    'ใบเสร็จรับเงิน / ใบกำกับภาษี',
    'บริษัท ฟิกซ์พอยท์ จำกัด',
    '1 ถนนสุขุมวิท กรุงเทพฯ 10110 <Bangkok>',
    'เลขประจำตัวผู้เสียภาษี: 0105567000000 (สำนักงานใหญ่)',
    companies.thai.name,
    companies.thai.line1,
    'แขวงปทุมวัน เขตปทุมวัน',
    'กรุงเทพมหานคร 10330',
    'เลขประจำตัวผู้เสียภาษี: 0105567000005 (สาขาที่ 00012)',
    '2026-000007',
    '22 พฤศจิกายน 2026',
  ])
    expect(full).toContain(item);
  expect(shownOn(companyFacts('receipt', 'en')).slice(1, 3)).toEqual([
    'Receipt / Tax invoice',
    'ใบเสร็จรับเงิน / ใบกำกับภาษี',
  ]);
});

test('a private buyer of a Thai seller gets the abbreviated one, and nobody else reads Thai words', () => {
  const legal = (facts: DocumentFacts) => contentOf(facts).legalTitle;
  const privately = (language: 'en' | 'th') => companyFacts('receipt', language, undefined as never);
  const thai = (facts: DocumentFacts) => ({ ...facts, company: undefined });
  expect(legal(thai(privately('en')))).toBe('ใบเสร็จรับเงิน / ใบกำกับภาษีอย่างย่อ');
  expect(contentOf(thai(privately('th')))).toMatchObject({ title: 'ใบเสร็จรับเงิน / ใบกำกับภาษีอย่างย่อ' });
  expect(legal(thai(privately('th')))).toBeUndefined();
  // What asks for a payment is no tax invoice.
  expect(legal(companyFacts('invoice', 'en'))).toBeUndefined();
  expect(legal(companyFacts('creditNote', 'en'))).toBe('ใบลดหนี้');
  expect(legal({ ...factsOf('receipt', 'en'), company: companies.german })).toBeUndefined();
  // What was a full one stays one after its buyer is erased.
  expect(contentOf({ ...companyFacts('receipt', 'th', true), email: undefined })).toMatchObject({
    title: 'ใบเสร็จรับเงิน / ใบกำกับภาษี',
    parties: [{}, { lines: ['cus_0123456789abcdefghij'] }],
  });
});

test('the XML names the company: address, numbers, order number and where to reach it (BT-44 to BT-55)', () => {
  const xmlOf = (company: DocumentFacts['company']) => contentOf(companyFacts('receipt', 'en', company)).xml;
  const buyerIn = (xml: string) => /<ram:BuyerTradeParty>(.*?)<\/ram:BuyerTradeParty>/.exec(xml)![1]!;
  const german = buyerIn(xmlOf(companies.german));
  expect(
    [...german.matchAll(/<ram:(\w+)[^>]*>([^<]+)</g)].map(([, name, value]) => `${name}: ${value}`),
  ).toEqual([
    'ID: cus_0123456789abcdefghij',
    'Name: Müller &#38; Söhne Präzisionswerkzeuge GmbH &#38; Co. KG &#60;Berlin&#62;',
    'PostcodeCode: 10623',
    'LineOne: Straße des 17. Juni 135',
    'LineTwo: 3. OG',
    'CityName: Berlin',
    'CountryID: DE',
    'URIID: ann.lee@customer.example',
    'ID: DE123456789',
  ]);
  expect(german).toContain('schemeID="VA">DE123456789<');
  expect(xmlOf(companies.german)).toContain('<ram:IssuerAssignedID>4500012345<');
  const thai = buyerIn(xmlOf(companies.thai));
  expect(thai).toContain('<ram:ID>010556700000500012</ram:ID>');
  expect(thai).toContain('<ram:CountrySubDivisionName>กรุงเทพมหานคร</ram:CountrySubDivisionName>');
  expect(thai).not.toContain('schemeID="VA"');
  for (const company of Object.values(companies))
    for (const kind of ['receipt', 'invoice', 'creditNote'] as const)
      expect(en16931Faults(contentOf(companyFacts(kind, 'en', company)).xml)).toEqual([]);
});

const renderer = createTypstRenderer();
describe.runIf(renderer.isAvailable)('B21 rendered', () => {
  test.each(['th', 'mm'] as const)(
    'with a company it says in %s what its data says, on one page',
    async language => {
      const document = contentOf(companyFacts('invoice', language));
      const { pieces } = readPdf(await renderer.render(document));
      const { found, of } = foundIn(pieces, textsOf(document));
      expect(found, pieces.join('').slice(0, found + 40)).toBe(of);
    },
  );
});
