import { csvText } from '../../kernel/csv.ts';

const cell = (value: string | number): string =>
  typeof value === 'number' ? value.toFixed(2) : csvText(value);

/**
 * A table as CSV (RFC 4180). Begins with a byte order mark, without which spreadsheets misread
 * letters beyond ASCII. Numbers are amounts, with two decimals and a point.
 */
export const csv = (rows: readonly (readonly (string | number)[])[]): string =>
  `\u{feff}${rows.map(row => `${row.map(cell).join(',')}\r\n`).join('')}`;
