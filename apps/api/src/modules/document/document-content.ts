import { type Language, languageOrDefault } from '@fixpoint/contract/languages.ts';
import type { Settlement } from '@fixpoint/domain/billing/invoice.ts';
import { bangkokDay } from '@fixpoint/domain/kernel/bangkok.ts';
import { dayIn } from '@fixpoint/domain/kernel/time-zone.ts';
import { formatDate, formatMoney, formatPercent } from '@fixpoint/texts/format.ts';
import { renewalSentence } from '@fixpoint/texts/renewal-sentence.ts';
import type { DocumentContent, DocumentRow } from '../../ports/document-renderer.ts';
import type { LineText } from '../../ports/json-columns.ts';
import { shownDay } from '../catalog/index.ts';
import { invoiceLineText, paymentName, type Translator } from '../text/index.ts';
import { ciiOf } from './cii.ts';
import type { DocumentFacts, DocumentLine } from './document-facts.ts';
import { buyerLines, isThai, sellerLines, thaiReplacement, thaiTitles } from './document-parties.ts';

/**
 * Writes a document in the language of its reader. It bills to the company, or to the customer's address, and to the ID of the
 * account once that is erased; without a company the XML has only the ID. Its date is the day in the seller's country (M4); the period is that of the
 * customer's pages, in Bangkok.
 * @param country ISO 3166 code of the country of sale
 */
export function documentContent(
  facts: DocumentFacts,
  { t, ui, dates }: Pick<Translator, 't' | 'ui' | 'dates'>,
  country: string,
): DocumentContent {
  const language = languageOrDefault(facts.language);
  const { kind, seller, credit, period, paidBy, currency, settled } = facts;
  const amount = (minor: number) => formatMoney(minor, currency, language);
  const day = (at: Date) => formatDate(dates, at);
  const issuedOn = dayIn(seller.country, facts.issuedAt);
  const rate = (bp: number) => formatPercent(bp / 10_000, language);
  const itemOf = (text: LineText) => invoiceLineText(t, text);
  const row = (label: string, value: string | undefined): DocumentRow[] => (value ? [{ label, value }] : []);
  const less = (label: string, minor: number): DocumentRow[] =>
    minor > 0 ? [{ label, value: amount(-minor) }] : [];
  const more = (label: string, minor: number): DocumentRow[] =>
    minor > 0 ? [{ label, value: amount(minor) }] : [];
  // Without the rate, which each line names.
  const vat = t('receipt.vat', { rate: '' }).trim();
  const span = period && `${day(period.start)} – ${day(period.end)}`;
  const months = facts.lines[0]!.text.cycleCount;
  return {
    language,
    title: titleOf(facts, t),
    ...(language !== 'th' && thaiTitleOf(facts)),
    brand: seller.brand,
    facts: [
      ...(kind === 'invoice' ? [] : row(t('document.number'), facts.number)),
      ...row(t('receipt.date'), day(shownDay(issuedOn))),
      ...row(t('document.ofInvoice'), credit?.ofInvoice),
      ...row(t('document.replaces'), facts.replaces),
      ...row(t('document.reason'), credit?.reason),
      ...row(t('document.reference'), facts.reference),
      ...row(t('document.period'), facts.lines.some(hasPeriod) ? undefined : span),
      ...row(t('document.renewal'), period && facts.renewal !== undefined ? day(period.end) : undefined),
      ...row(t('document.paidWith'), paidBy && paymentName(paidBy, t)),
    ],
    parties: [
      { label: t('document.seller'), lines: sellerLines(facts, t) },
      { label: t('document.customer'), lines: buyerLines(facts, language, t) },
    ],
    ...(facts.dueAt &&
      settled && {
        due: [
          { label: t('document.dueOn'), value: day(facts.dueAt) },
          { label: t('document.due'), value: amount(settled.due) },
        ],
      }),
    columns: {
      item: t('receipt.item'),
      net: t('receipt.net'),
      rate: t('document.vatRate'),
      vat: vat,
      total: t('receipt.total'),
    },
    lines: facts.lines.map(line => ({
      item: itemOf(line.text),
      detail: [facts.address, hasPeriod(line) ? span : undefined].filter(each => each != null),
      net: amount(line.net),
      rate: rate(line.vatRateBp),
      vat: amount(line.vat),
      total: amount(line.total),
    })),
    totals: [
      { label: t('receipt.net'), value: amount(facts.net) },
      { label: vat, value: amount(facts.vat) },
      { label: t('receipt.total'), value: amount(facts.total), counts: true },
      ...(settled
        ? [
            ...less(t('document.carried'), settled.prorated),
            ...more(t('document.carriedIn'), settled.carriedIn ?? 0),
            ...less(t('document.creditUsed'), settled.creditUsed),
            ...less(t('document.carriedOut'), settled.carriedOut ?? 0),
            ...less(t('document.paid'), settled.paid),
            { label: t('document.due'), value: amount(settled.due), counts: true as const },
          ]
        : []),
    ],
    notes: [
      ...replacementNotes(facts, language, t),
      ...(credit || facts.renewal === undefined
        ? []
        : [renewalSentence(ui, { charged: facts.charged === true, months, amount: amount(facts.renewal) })]),
    ],
    ...(facts.payUrl && {
      pay: {
        url: facts.payUrl,
        title: t('document.howToPay'),
        scan: t('document.scan'),
        link: t('document.payOnline'),
      },
    }),
    footer: [seller.company || seller.brand, t('document.questions')],
    issuedAt: facts.issuedAt,
    xml: ciiOf({
      number: facts.number,
      kind: credit ? 'creditNote' : facts.replaces ? 'corrected' : 'invoice',
      issuedAt: issuedOn,
      currency,
      seller,
      country,
      buyer: xmlBuyer(facts),
      reference: facts.reference,
      ...(credit && { ofInvoice: credit.ofInvoice }),
      ...(facts.replaces && { ofInvoice: facts.replaces }),
      ...(period && { period: { from: bangkokDay(period.start), to: bangkokDay(period.end) } }),
      lines: facts.lines.map(line => ({ ...line, item: itemOf(line.text) })),
      net: facts.net,
      vat: facts.vat,
      total: facts.total,
      // Nothing is due for a credit note: its amount is refunded, or is credit already.
      due: settled ? ownDue(settled) : 0,
    }),
  };
}

/** Whether a line is for the whole period; others are for days of it. */
const hasPeriod = ({ text }: DocumentLine): boolean => text.kind === 'period';

function titleOf({ kind, seller, company }: DocumentFacts, t: Translator['t']): string {
  if (kind === 'replacement' && !isThai(seller)) return t('document.replacement');
  if (kind === 'invoice') return t('document.invoice');
  if (kind === 'creditNote') return t('document.creditNote');
  if (!seller.taxId) return t('document.receipt');
  return t(company ? 'document.fullTaxReceipt' : 'document.taxReceipt');
}

/** The Thai words of a Thai seller's tax document in another language; what only asks for a payment is none. */
function thaiTitleOf({ kind, seller, company }: DocumentFacts): { legalTitle?: string } {
  if (!isThai(seller) || !seller.taxId || kind === 'invoice') return {};
  const form = kind === 'creditNote' ? 'creditNote' : company ? 'full' : 'abbreviated';
  return { legalTitle: thaiTitles[form] };
}

/** What a replacement says about the document before it; of a Thai seller also in the words that the law asks for. */
function replacementNotes(
  { replaces, seller }: DocumentFacts,
  language: Language,
  t: Translator['t'],
): string[] {
  if (!replaces) return [];
  if (!isThai(seller)) return [t('document.corrects', { number: replaces })];
  const own = t('document.cancels', { number: replaces });
  return language === 'th' ? [own] : [own, thaiReplacement(replaces)];
}

const xmlBuyer = ({ company, email, customerId }: DocumentFacts) => ({
  id: customerId,
  ...(company && company !== true && { company: { ...company, email } }),
});

/** What is due of the invoice's own total: without rests of earlier ones, with the rest that a later one collects. */
const ownDue = ({ due, carriedIn = 0, carriedOut = 0 }: Settlement): number =>
  Math.max(0, due - carriedIn) + carriedOut;
