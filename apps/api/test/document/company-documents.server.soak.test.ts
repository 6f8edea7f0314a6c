import { languageCodes } from '@fixpoint/contract/languages.ts';
import { en16931Faults } from '@fixpoint/testkit/en16931.ts';
import { foundIn, readPdf } from '@fixpoint/testkit/pdf-text.ts';
import { describe, expect, test } from 'vitest';
import { createTypstRenderer } from '../../src/adapters/typst/document-renderer.ts';
import { documentContent } from '../../src/modules/document/document-content.ts';
import { companies, companyFacts } from './company-documents.ts';
import { textsOf, translatorOf } from './sample-documents.ts';

/* Every kind of document for companies of three countries, in every language: the text taken out of the PDF is the data's. */

const renderer = createTypstRenderer();
const kinds = ['receipt', 'invoice', 'creditNote'] as const;

describe.runIf(renderer.isAvailable)('B21 a document for a company', () => {
  test.each(languageCodes)('says in %s what its data says, on one page', async language => {
    for (const kind of kinds)
      for (const [name, company] of Object.entries(companies)) {
        const document = documentContent(companyFacts(kind, language, company), translatorOf(language), 'TH');
        const { pieces, attached } = readPdf(await renderer.render(document));
        const { found, of } = foundIn(pieces, textsOf(document));
        expect(found, `${kind} ${name} ${pieces.join('').slice(0, found + 40)}`).toBe(of);
        expect(en16931Faults(attached.get('factur-x.xml')!)).toEqual([]);
      }
  });
});
