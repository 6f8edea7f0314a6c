import type { BuyerDetails } from '@fixpoint/contract/buyer-details.ts';
import { byCreditAlone, type Settlement, settlementOf } from '@fixpoint/domain/billing/invoice.ts';
import { payableUntil } from '@fixpoint/domain/subscription/renewal.ts';
import { sql } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import type { Db } from '../../ports/database.ts';
import type { LineText, PaidWith, Seller } from '../../ports/json-columns.ts';
import type { Tables } from '../../ports/tables.ts';
import { coveredOf, type DocumentRef, documentSubject, paysItsInvoice } from '../billing/index.ts';

export type DocumentLine = { text: LineText; net: number; vat: number; vatRateBp: number; total: number };

/** Everything a document states, in no language yet. Amounts in integer hundredths. */
export type DocumentFacts = DocumentRef & {
  invoiceId: string;
  purpose: Tables['invoice']['purpose'];
  customerId: string;
  /** The buyer's address; undefined once it is erased. */
  email: string | undefined;
  /** The company that it is made out to; `true` once its details are erased. */
  company?: BuyerDetails | true | undefined;
  /** The fixed IP of the subscription, where it has one now. */
  address: string | null;
  subscriptionId: string | null;
  language: string;
  number: string;
  reference: string;
  issuedAt: Date;
  seller: Seller;
  currency: string;
  net: number;
  vat: number;
  total: number;
  lines: readonly DocumentLine[];
  period?: { start: Date; end: Date };
  /** Price of the next period. */
  renewal?: number;
  /** The next period is charged by us; else its customer pays an invoice. */
  charged?: boolean;
  /** `credit`: by credit alone. */
  paidBy?: { method: string; card: PaidWith | null };
  /** How an invoice or a receipt was paid, and the amount due. */
  settled?: Settlement;
  credit?: { reason: string; ofInvoice: string };
  /** Number of the document whose place it takes. */
  replaces?: string;
  /** It goes with the email that the subscription is ready. */
  withReady?: boolean;
  /** It could not be rendered before, and its email was sent without it. */
  isLate?: boolean;
  /** Only for an open invoice: until when, and on which page, it can be paid. */
  dueAt?: Date;
  payUrl?: string;
};

/** An invoice with everything that its documents state, and with the kinds of documents that it has. */
const withDocuments = (db: Db) =>
  db
    .selectFrom('invoice')
    .leftJoin('shop_order', 'shop_order.id', 'invoice.order_id')
    .leftJoin('subscription', 'subscription.id', 'invoice.subscription_id')
    .leftJoin('static_ip', 'static_ip.subscription_id', 'invoice.subscription_id')
    .leftJoin('subscription_period as period', 'period.invoice_id', 'invoice.id')
    .selectAll('invoice')
    .select(eb => eb.fn.coalesce('shop_order.renewal', 'subscription.coming_renewal').as('renewal'))
    .select(['period.starts_at', 'period.ends_at'])
    .select(['subscription.period_start as current_start', 'subscription.period_end as current_end'])
    .select(sql<string | null>`host(static_ip.address)`.as('address'))
    .select(eb => [
      jsonArrayFrom(
        eb
          .selectFrom('invoice_line as line')
          .select(['line.text', 'line.net', 'line.vat', 'line.vat_rate_bp as vatRateBp', 'line.total'])
          .whereRef('line.invoice_id', '=', 'invoice.id')
          .orderBy('line.position'),
      ).as('lines'),
      jsonObjectFrom(
        eb
          .selectFrom('attempt')
          .select(['attempt.method', 'attempt.paid_with as card'])
          .whereRef('attempt.invoice_id', '=', 'invoice.id')
          .where(paysItsInvoice)
          .limit(1),
      ).as('attempt'),
      jsonArrayFrom(
        eb
          .selectFrom('document')
          .select('document.kind')
          .whereRef('document.invoice_id', '=', 'invoice.id')
          .where('document.credit_note_id', 'is', null),
      ).as('made'),
      jsonArrayFrom(
        eb
          .selectFrom('credit_note as note')
          .selectAll('note')
          .whereRef('note.invoice_id', '=', 'invoice.id')
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('document')
                  .select('document.id')
                  .whereRef('document.credit_note_id', '=', 'note.id'),
              ),
            ),
          )
          .orderBy('note.issued_at'),
      ).as('notes'),
      jsonArrayFrom(
        eb
          .selectFrom('invoice_replacement as replacement')
          .select(['replacement.id', 'replacement.number', 'replacement.replaces', 'replacement.company'])
          .select(['replacement.seller', 'replacement.issued_at'])
          .select(sql<boolean>`replacement.pdf is null`.as('isMissing'))
          .whereRef('replacement.invoice_id', '=', 'invoice.id')
          .orderBy('replacement.serial'),
      ).as('replacements'),
      jsonArrayFrom(
        eb
          .selectFrom('open_alert')
          .select('open_alert.subject')
          .where('open_alert.kind', '=', 'document.failed')
          .where(sql<boolean>`open_alert.what ->> 'invoice' = invoice.id`),
      ).as('failed'),
    ]);

type Row = Awaited<ReturnType<ReturnType<typeof withDocuments>['execute']>>[number];

/**
 * The missing documents of an invoice, the oldest first. Undefined for a guest's invoice, which has none until it belongs to
 * an account, and for one whose legal retention is over.
 */
export async function missingDocuments(db: Db, invoiceId: string): Promise<DocumentFacts[] | undefined> {
  const invoice = await withDocuments(db)
    .where('invoice.id', '=', invoiceId)
    .where('invoice.buyer_is', '<>', 'nobody')
    .where('invoice.customer_id', 'is not', null)
    .executeTakeFirst();
  if (!invoice) return undefined;
  const { status, made, notes } = invoice;
  const kind = status === 'open' ? 'invoice' : status === 'paid' ? 'receipt' : undefined;
  const own = kind && !made.some(each => each.kind === kind) ? [invoiceFacts(invoice, kind)] : [];
  const failed = new Set(invoice.failed.map(({ subject }) => subject));
  const replaced = invoice.replacements.filter(({ isMissing }) => isMissing);
  const corrected = replaced.map(each => replacementFacts(invoice, each));
  return [...own, ...corrected, ...notes.map(note => creditNoteFacts(invoice, note))].map(facts =>
    failed.has(documentSubject(facts)) ? { ...facts, isLate: true } : facts,
  );
}

/** What all documents of an invoice state. */
const commonFacts = (invoice: Row) => ({
  invoiceId: invoice.id,
  purpose: invoice.purpose,
  subscriptionId: invoice.subscription_id,
  customerId: invoice.customer_id!,
  email: invoice.buyer.email,
  company: invoice.buyer.company ?? invoice.buyer.wasCompany,
  address: invoice.address,
  reference: invoice.reference,
});

function creditNoteFacts(invoice: Row, note: Row['notes'][number]): DocumentFacts {
  const { net, vat, vat_rate_bp: vatRateBp, total } = note;
  return {
    ...commonFacts(invoice),
    kind: 'creditNote',
    ofId: note.id,
    language: note.language,
    number: note.number,
    issuedAt: new Date(note.issued_at),
    seller: note.seller,
    currency: note.currency,
    net,
    vat,
    total,
    lines: [{ text: invoice.lines[0]!.text, net, vat, vatRateBp, total }],
    ...latestBefore(invoice, new Date(note.issued_at)),
    credit: { reason: note.reason, ofInvoice: numberAt(invoice, new Date(note.issued_at)) },
  };
}

/** The replacement that was valid at an instant. */
const replacementAt = ({ replacements }: Row, at: Date) =>
  replacements.findLast(({ issued_at }) => new Date(issued_at) <= at);
/** The number that a document of a day refers to: that of the invoice, or of what replaced it. */
const numberAt = (invoice: Row, at: Date): string => replacementAt(invoice, at)?.number ?? invoice.number!;
function latestBefore(invoice: Row, at: Date): Pick<DocumentFacts, 'company'> {
  const found = replacementAt(invoice, at);
  return found ? { company: companyOf(found.company) } : {};
}
/** `true` once it is erased. */
const companyOf = (company: BuyerDetails): BuyerDetails | true => ('name' in company ? company : true);

/** The receipt for another company. Its day is that of the receipt where Thai law decides (order Por 86/2542), else its own. */
function replacementFacts(invoice: Row, of: Row['replacements'][number]): DocumentFacts {
  const receipt = invoiceFacts(invoice, 'receipt');
  const { id, number, replaces, company, seller } = of;
  return {
    ...receipt,
    kind: 'replacement',
    ofId: id,
    number,
    replaces,
    company: companyOf(company),
    seller,
    issuedAt: seller.country === 'TH' ? receipt.issuedAt : new Date(of.issued_at),
    withReady: false,
  };
}

function invoiceFacts(invoice: Row, kind: 'invoice' | 'receipt'): DocumentFacts {
  const { lines, attempt } = invoice;
  const start = invoice.starts_at ?? invoice.period_start;
  const end = invoice.ends_at ?? invoice.period_end;
  const { currency, net, vat, total, seller, language } = invoice;
  const settled = settlementOf(total, coveredOf(invoice), kind === 'receipt');
  const paidBy = attempt ?? (byCreditAlone(settled) ? { method: 'credit', card: null } : undefined);
  return {
    ...commonFacts(invoice),
    kind,
    ofId: invoice.id,
    language,
    number: invoice.number ?? invoice.reference,
    issuedAt: invoice.paid_at ?? invoice.issued_at!,
    seller,
    currency,
    net,
    vat,
    total,
    lines,
    ...(start && end && { period: { start, end } }),
    ...(invoice.renewal !== null && { renewal: invoice.renewal }),
    ...(paidBy && { paidBy }),
    ...(invoice.with_ready && kind === 'receipt' && { withReady: true }),
    ...(kind === 'invoice' && dueOf(invoice)),
    settled,
  };
}

/** When an open invoice of a renewal is due: before the period that it pays, or as long as one that was opened later can be paid. */
function dueOf({
  purpose,
  issued_at,
  current_start: start,
  current_end: end,
}: Row): Pick<DocumentFacts, 'dueAt'> {
  return purpose === 'renewal' && issued_at && start && end
    ? { dueAt: payableUntil(issued_at, { start, end }, issued_at >= end) }
    : {};
}
