import { byCreditAlone, type Settlement, settlementOf } from '@fixpoint/domain/billing/invoice.ts';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import type { Db } from '../../ports/database.ts';
import type { LineText, PaidWith, Seller } from '../../ports/json-columns.ts';
import type { Tables } from '../../ports/tables.ts';
import { coveredOf, type DocumentRef, paysItsInvoice } from '../billing/index.ts';

export type DocumentLine = { text: LineText; net: number; vat: number; vatRateBp: number; total: number };

/** Everything a document states, in no language yet. Amounts in integer hundredths. */
export type DocumentFacts = {
  kind: DocumentRef['kind'];
  invoiceId: string;
  purpose: Tables['invoice']['purpose'];
  customerId: string;
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
  /** `credit`: by credit alone. */
  paidBy?: { method: string; card: PaidWith | null };
  /** How an invoice or a receipt was paid, and the amount due. */
  settled?: Settlement;
  credit?: { reason: string; ofInvoice: string };
};

/** Loads the facts of a document. @throws when there is no such invoice or credit note */
export async function documentFacts(db: Db, { kind, ofId }: DocumentRef): Promise<DocumentFacts> {
  const note =
    kind === 'creditNote' &&
    (await db.selectFrom('credit_note').selectAll().where('id', '=', ofId).executeTakeFirstOrThrow());
  const invoice = await db
    .selectFrom('invoice')
    .leftJoin('shop_order', 'shop_order.id', 'invoice.order_id')
    .leftJoin('subscription', 'subscription.id', 'invoice.subscription_id')
    .leftJoin('subscription_period as period', 'period.invoice_id', 'invoice.id')
    .selectAll('invoice')
    .select(eb => eb.fn.coalesce('shop_order.renewal', 'subscription.coming_renewal').as('renewal'))
    .select(['period.starts_at', 'period.ends_at'])
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
    ])
    .where('invoice.id', '=', note ? note.invoice_id : ofId)
    .executeTakeFirstOrThrow();
  const { lines, attempt } = invoice;
  const common = {
    kind,
    invoiceId: invoice.id,
    purpose: invoice.purpose,
    subscriptionId: invoice.subscription_id,
    customerId: invoice.customer_id!,
    reference: invoice.reference,
  };
  if (note) {
    const { net, vat, vat_rate_bp: vatRateBp, total } = note;
    return {
      ...common,
      language: note.language,
      number: note.number,
      issuedAt: note.issued_at,
      seller: note.seller,
      currency: note.currency,
      net,
      vat,
      total,
      lines: [{ text: lines[0]!.text, net, vat, vatRateBp, total }],
      credit: { reason: note.reason, ofInvoice: invoice.number! },
    };
  }
  const start = invoice.starts_at ?? invoice.period_start;
  const end = invoice.ends_at ?? invoice.period_end;
  const { currency, net, vat, total, seller, language } = invoice;
  const settled = settlementOf(total, coveredOf(invoice), kind === 'receipt');
  const paidBy = attempt ?? (byCreditAlone(settled) ? { method: 'credit', card: null } : undefined);
  return {
    ...common,
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
    settled,
  };
}
