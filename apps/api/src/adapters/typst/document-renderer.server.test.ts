import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { languageCodes } from '@fixpoint/contract/languages.ts';
import { readPdf } from '@fixpoint/testkit/pdf-text.ts';
import { written } from '@fixpoint/texts/bundles.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentOf, factsOf, translatorOf } from '../../../test/document/sample-documents.ts';
import { documentContent } from '../../modules/document/document-content.ts';
import { displayable, undisplayable } from './displayable.ts';
import { createTypstRenderer } from './document-renderer.ts';

test('a renderer process that dies rejects the calls that wait for it, and the next one renders', async () => {
  const presses: ChildProcess[] = [];
  subscribe('child_process', message => presses.push((message as { process: ChildProcess }).process));
  const renderer = createTypstRenderer();
  const document = documentOf('receipt', 'en');
  const both = Promise.allSettled([renderer.render(document), renderer.render(document)]);
  presses[0]!.kill('SIGKILL');
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect((await renderer.render(document)).subarray(0, 5).toString()).toBe('%PDF-');
  expect(presses).toHaveLength(2);
});

test('a name in another script than its document is rendered, and the same document to the same bytes', async () => {
  const renderer = createTypstRenderer();
  const document = documentOf('receipt', 'en');
  const named = (brand: string) => renderer.render({ ...document, brand });
  expect((await named('東京')).toString('latin1')).toMatch(/NotoSans(KR|JP|Hans)/);
  expect(await named(document.brand)).toEqual(await createTypstRenderer().render(document));
});

test('a document shows the logo and the link colour of the operator', async () => {
  const document = documentOf('invoice', 'en');
  const logo = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>';
  const [built, ...branded] = await Promise.all(
    [{}, { logo }, { links: '#005fcc' }].map(look => createTypstRenderer(look).render(document)),
  );
  for (const pdf of branded) {
    expect(pdf.equals(built!)).toBe(false);
    expect(readPdf(pdf).pieces).toEqual(readPdf(built!).pieces);
  }
});

test('FM21 a character that no font has is shown as �, and the XML keeps it', async () => {
  const renderer = createTypstRenderer();
  const facts = factsOf('creditNote', 'en');
  const seller = {
    ...facts.seller,
    brand: 'Fix𓀀point',
    company: 'Tab\there ☂\u20dd',
    address: 'a\r\nb \u0007',
  };
  const credit = { ...facts.credit!, reason: 'Sorry 𓀀 \ud800 \u202eabc' };
  const document = documentContent({ ...facts, seller, credit }, translatorOf('en'), 'TH');
  const { pieces, attached } = readPdf(await renderer.render(document));
  const shown = pieces.join('');
  for (const text of ['Fix�point', 'Tab here', 'Sorry � � abc']) expect(shown).toContain(text);
  const xml = attached.get('factur-x.xml')!;
  expect(xml).toContain('Tab\there ☂\u20dd');
  expect(xml).not.toMatch(/\p{Cs}/u);
  expect(xml).not.toContain('\u0007');
});

/** Characters that fonts, scripts and directions of writing make hard, beside any others. */
const hard = fc.constantFrom(
  ...[
    'a',
    ' ',
    '\t',
    '\n',
    '\r',
    '\u0000',
    '\u0007',
    '\u0085',
    '\u00ad',
    '\u0301',
    '\u034f',
    'ก',
    '\u0e34',
    '\u0e4d',
    'क',
  ],
  ...[
    '\u094d',
    'က',
    '\u1039',
    'ក',
    '\u17d2',
    'ກ',
    '\u0ebc',
    'ب',
    'א',
    'த',
    '가',
    '\u1100',
    '\u1161',
    '中',
    '\u3099',
    '🙏',
    '\u{1f3fd}',
  ],
  ...[
    '\u180f',
    '\u1cf2',
    '\u1cf7',
    '\u200b',
    '\u200d',
    '\u2028',
    '\u202e',
    '\u2067',
    '\u2069',
    '\u20dd',
    '\ud800',
    '\udc00',
    '\ue000',
    '\ufe0f',
  ],
  ...['\ufeff', '\ufffe', '\uffff', '\u{e0001}', '\u{1f101}', '\u{10ffff}'],
);
const anyText = fc.string({
  unit: fc.oneof(hard, fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })),
  maxLength: 60,
});

test('FM21 any text at any place of any document yields a PDF', { timeout: 120_000 }, async () => {
  const renderer = createTypstRenderer();
  const places = fc.record({
    kind: fc.constantFrom('invoice' as const, 'receipt' as const, 'creditNote' as const),
    language: fc.constantFrom(...languageCodes),
    brand: anyText,
    company: anyText,
    address: anyText,
    taxId: anyText,
    plan: anyText,
    place: anyText,
    reason: anyText,
  });
  await fc.assert(
    fc.asyncProperty(places, async ({ kind, language, plan, place, reason, ...seller }) => {
      const facts = factsOf(kind, language);
      const lines = facts.lines.map(line => ({ ...line, text: { ...line.text, plan, place } }));
      const of = { ...facts, seller, lines, ...(facts.credit && { credit: { ...facts.credit, reason } }) };
      const pdf = await renderer.render(documentContent(of, translatorOf(language), 'TH'));
      expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    }),
    { numRuns: 60 },
  );
});

test('FM21 what cannot be shown is named, and nothing else is', () => {
  expect(undisplayable('Fixpoint – ฟิกซ์พอยท์ 東京 \u00ad\t\r\n')).toEqual([]);
  expect(undisplayable('a𓀀b𓀀\u0007')).toEqual(['𓀀', '\u0007']);
  expect(displayable('ก\u20dd')).toBe('ก�');
  // Each language can show all of its own texts.
  for (const language of languageCodes)
    for (const text of Object.values(written.emails[language])) expect(undisplayable(text), text).toEqual([]);
});
