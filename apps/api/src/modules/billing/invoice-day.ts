import { sql } from 'kysely';

/**
 * SQL: the day of an invoice in Bangkok: that of its receipt, else of its issue. Within a day the
 * serial number orders: payments of one moment may be numbered in another order than they are timed.
 */
export const invoiceDay = sql<Date>`(coalesce(invoice.paid_at, invoice.issued_at) at time zone 'Asia/Bangkok')::date`;

/** SQL: whether that day is in a year. */
export const inYear = (year: number) =>
  sql<boolean>`${invoiceDay} between make_date(${year}, 1, 1) and make_date(${year}, 12, 31)`;
