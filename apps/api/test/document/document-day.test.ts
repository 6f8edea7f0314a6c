import { expect, test } from 'vitest';
import { documentContent } from '../../src/modules/document/document-content.ts';
import { factsOf, translatorOf } from './sample-documents.ts';

test.each([
  ['DE', 'December 31, 2026', '20261231'],
  ['TH', 'January 1, 2027', '20270101'],
  [undefined, 'January 1, 2027', '20270101'],
])(
  'MO10 a document of a seller in %s has the day of that country; its period stays that of the pages',
  (country, day, xmlDay) => {
    const facts = factsOf('receipt', 'en');
    const of = {
      ...facts,
      issuedAt: new Date('2026-12-31T18:30:00Z'),
      seller: { ...facts.seller, ...(country && { country }) },
    };
    const document = documentContent(of, translatorOf('en'), 'DE');
    const values = document.facts.map(({ value }) => value);
    expect(values).toContain(day);
    expect(document.lines[0]!.detail).toContain('November 22, 2026 – February 22, 2027');
    expect(document.xml).toContain(`<ram:IssueDateTime><udt:DateTimeString format="102">${xmlDay}<`);
  },
);
