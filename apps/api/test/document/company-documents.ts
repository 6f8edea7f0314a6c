import type { BuyerDetails } from '@fixpoint/contract/buyer-details.ts';
import type { Language } from '@fixpoint/contract/languages.ts';
import type { DocumentFacts } from '../../src/modules/document/document-facts.ts';
import { factsOf } from './sample-documents.ts';

/** Companies with long names and every field, by the form of their country. */
export const companies = {
  thai: {
    name: 'บริษัท สยามเทรดดิ้ง แอนด์ ดิจิทัล โซลูชั่นส์ (ประเทศไทย) จำกัด (มหาชน)',
    country: 'TH',
    line1: '999/9 อาคารสยามทาวเวอร์ ชั้น 24 ถนนพระรามที่ 1',
    line2: 'แขวงปทุมวัน',
    city: 'เขตปทุมวัน',
    region: 'กรุงเทพมหานคร',
    postcode: '10330',
    taxId: '0105567000005',
    branch: '00012',
    purchaseOrder: 'PO-2026-000123',
  },
  german: {
    name: 'Müller & Söhne Präzisionswerkzeuge GmbH & Co. KG <Berlin>',
    country: 'DE',
    line1: 'Straße des 17. Juni 135',
    line2: '3. OG',
    city: 'Berlin',
    postcode: '10623',
    taxId: 'DE123456789',
    purchaseOrder: '4500012345',
  },
  japanese: {
    name: '株式会社東京精密通信機器製造販売',
    country: 'JP',
    line1: '丸の内一丁目1番1号',
    line2: '東京ビルディング24階',
    city: '千代田区',
    region: '東京都',
    postcode: '100-0005',
    taxId: 'T1234567890123',
  },
} satisfies Record<string, BuyerDetails>;

/** A document of a Thai seller for a company. */
export const companyFacts = (
  kind: DocumentFacts['kind'],
  language: Language,
  company: DocumentFacts['company'] = companies.thai,
): DocumentFacts => {
  const facts = factsOf(kind, language);
  return { ...facts, company, seller: { ...facts.seller, country: 'TH', branch: '00000' } };
};
