import { csvText, forSpreadsheets } from '../../kernel/csv.ts';

const cell = (value: string | number): string =>
  typeof value === 'number' ? value.toFixed(2) : csvText(value);

/**
 * A table as CSV (RFC 4180) for spreadsheets. Numbers are amounts, with two decimals and a point.
 */
export const csv = (rows: readonly (readonly (string | number)[])[]): string =>
  forSpreadsheets(rows.map(row => `${row.map(cell).join(',')}\r\n`).join(''));
