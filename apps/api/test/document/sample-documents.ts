import type { Language } from '@fixpoint/contract/languages.ts';
import { written } from '@fixpoint/texts/bundles.ts';
import { fillMessage } from '@fixpoint/texts/message.ts';
import { documentContent } from '../../src/modules/document/document-content.ts';
import type { DocumentFacts } from '../../src/modules/document/document-facts.ts';
import type { Translator } from '../../src/modules/text/index.ts';
import type { DocumentContent } from '../../src/ports/document-renderer.ts';

/** Translator of documents in a language, without text overrides. */
export const translatorOf = (language: Language): Translator => {
  const say = (texts: Record<string, string>) => (key: string, values?: Record<string, string | number>) =>
    fillMessage(texts[key]!, language, { support: 'support@fixpoint.example', ...values });
  const never = () => {
    throw new Error('not used in documents');
  };
  return {
    t: say(written.emails[language]),
    ui: say(written.bundles[language]),
    dates: say(written.bundles[language]),
    nameOf: never,
    device: never,
  };
};

/** Two lines with two rates, so that no value is right by chance. */
export const factsOf = (kind: DocumentFacts['kind'], language: Language): DocumentFacts => {
  const names = written.bundles[language];
  const line = { kind: 'period', plan: names['plans.name.team']!, planId: 'team', cycleCount: 3 } as const;
  const paid = {
    period: { start: new Date('2026-11-22T05:00:00Z'), end: new Date('2027-02-22T05:00:00Z') },
    renewal: 59_700,
  };
  return {
    kind,
    ofId: 'inv_0123456789abcdefghij',
    invoiceId: 'inv_0123456789abcdefghij',
    purpose: 'purchase',
    subscriptionId: null,
    customerId: 'cus_0123456789abcdefghij',
    email: 'ann.lee@customer.example',
    address: '203.150.113.241',
    language,
    number: kind === 'creditNote' ? 'CN2026-000001' : '2026-000007',
    reference: '7K3M-9QXD-2H',
    issuedAt: new Date('2026-11-21T18:00:00Z'),
    // Thai beside every language, because a seller has one name.
    seller: {
      brand: 'Fixpoint & Co #1',
      company: 'บริษัท ฟิกซ์พอยท์ จำกัด',
      address: '1 ถนนสุขุมวิท กรุงเทพฯ 10110 <Bangkok>',
      taxId: '0105567000000',
    },
    currency: 'THB',
    net: 28_598,
    vat: 1_302,
    total: 29_900,
    lines: [
      {
        text: { ...line, place: names['region.th-bkk']! },
        net: 18_598,
        vat: 1_302,
        vatRateBp: 700,
        total: 19_900,
      },
      {
        text: { ...line, place: names['region.sg-sin'] ?? 'Singapore' },
        net: 10_000,
        vat: 0,
        vatRateBp: 0,
        total: 10_000,
      },
    ],
    ...(kind !== 'creditNote' && paid),
    ...(kind === 'invoice' && {
      dueAt: new Date('2026-12-29T05:00:00Z'),
      payUrl: `https://shop.example.com/#/${language}/management/subscription/sub_0123456789abcdefghij/pay`,
    }),
    // Four different sums, each of which must stand in its own row.
    ...(kind === 'invoice' && { settled: { prorated: 1_100, creditUsed: 2_300, paid: 5_000, due: 21_500 } }),
    ...(kind === 'receipt' && { settled: { prorated: 1_100, creditUsed: 2_300, paid: 26_500, due: 0 } }),
    ...(kind === 'receipt' && { paidBy: { method: 'card', card: { brand: 'visa', last4: '4242' } } }),
    ...(kind === 'creditNote' && { credit: { reason: 'Host was down – ขออภัย', ofInvoice: '2026-000007' } }),
  };
};

/** A document of a kind, as its reader gets it. */
export const documentOf = (kind: DocumentFacts['kind'], language: Language) =>
  documentContent(factsOf(kind, language), translatorOf(language), 'TH');

/** Every text of a document in the order of the page. */
export function writtenOn(document: DocumentContent): { text: string; bold: boolean }[] {
  const plain = (text: string) => ({ text, bold: false });
  const strong = (text: string) => ({ text, bold: true });
  const { columns, lines, pay, legalTitle } = document;
  return [
    ...[strong(document.brand), strong(document.title)],
    ...(legalTitle ? [strong(legalTitle)] : []),
    ...(document.due ?? []).map(({ label }) => plain(label)),
    ...(document.due ?? []).map(({ value }) => strong(value)),
    ...document.facts.flatMap(({ label, value }) => [label, value]).map(plain),
    ...document.parties.flatMap(party => [party.label, ...party.lines]).map(plain),
    ...[columns.item, columns.net, columns.rate, columns.vat, columns.total].map(plain),
    ...lines
      .flatMap(({ item, detail, net, rate, vat, total }) => [item, ...detail, net, rate, vat, total])
      .map(plain),
    ...document.totals.flatMap(({ label, value, counts }) => [label, value].map(counts ? strong : plain)),
    ...document.notes.map(plain),
    ...(pay ? [strong(pay.title), plain(pay.scan), plain(pay.link)] : []),
    ...[document.footer.join(' · '), '1 / 1'].map(plain),
  ];
}
export const textsOf = (document: DocumentContent): string[] => writtenOn(document).map(({ text }) => text);
