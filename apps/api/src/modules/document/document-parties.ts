import type { BuyerDetails } from '@fixpoint/contract/buyer-details.ts';
import { taxIdKind } from '@fixpoint/contract/buyer-details.ts';
import type { Language } from '@fixpoint/contract/languages.ts';
import { addressLines } from '@fixpoint/domain/billing/address-lines.ts';
import { countryName } from '@fixpoint/texts/country-name.ts';
import type { Seller } from '../../ports/json-columns.ts';
import type { Translator } from '../text/index.ts';
import type { DocumentFacts } from './document-facts.ts';

type Say = Translator['t'];

/** The seller: name, address, tax number, and of a Thai one its branch (Revenue Code, section 86/4). */
export const sellerLines = ({ seller }: Pick<DocumentFacts, 'seller'>, t: Say): string[] =>
  [
    seller.company || seller.brand,
    seller.address,
    seller.taxId && taxNumber(t, seller.taxId, isThai(seller) ? seller.branch : undefined),
  ].filter(Boolean);

/**
 * Whom a document is made out to: the company with its address and numbers; else the customer's address, and the ID of the
 * account once that is erased.
 */
export function buyerLines(
  { company, email, customerId }: Pick<DocumentFacts, 'company' | 'email' | 'customerId'>,
  language: Language,
  t: Say,
): string[] {
  if (!company || company === true) return [email ?? customerId];
  const { name, country, taxId, branch, purchaseOrder } = company;
  return [
    name,
    ...addressLines(company, countryName(country, language)),
    ...(taxId ? [identified(t, company, taxId, branch)] : []),
    ...(purchaseOrder ? [`${t('document.purchaseOrder')}: ${purchaseOrder}`] : []),
    ...(email ? [email] : []),
  ];
}

const identified = (t: Say, { country }: BuyerDetails, taxId: string, branch: string | undefined): string =>
  taxIdKind(country) === 'vat' ? `${t('document.vatId')}: ${taxId}` : taxNumber(t, taxId, branch);

const taxNumber = (t: Say, taxId: string, branch: string | undefined): string => {
  const number = `${t('document.taxId')}: ${taxId}`;
  if (branch === undefined) return number;
  const of = /^0+$/.test(branch) ? t('document.headOffice') : t('document.branch', { number: branch });
  return `${number} (${of})`;
};

/** Whether Thai law decides the form of a document. */
export const isThai = ({ country }: Seller): boolean => country === 'TH';

/** The words that a tax invoice must have, whatever language it is in (Revenue Code, sections 86/4, 86/6 and 86/10). */
export const thaiTitles = {
  full: 'ใบเสร็จรับเงิน / ใบกำกับภาษี',
  abbreviated: 'ใบเสร็จรับเงิน / ใบกำกับภาษีอย่างย่อ',
  creditNote: 'ใบลดหนี้',
} as const;
/** The words of a replacement (Revenue Department, order Por 86/2542). */
export const thaiReplacement = (number: string): string =>
  `เป็นการยกเลิกและออกใบกำกับภาษีฉบับใหม่แทนฉบับเดิมเลขที่ ${number}`;
