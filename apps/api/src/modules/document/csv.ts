/** A spreadsheet takes a text that begins like this for a formula and executes it. */
const FORMULA = /^[=+\-@\t\r]/;

function cell(value: string | number): string {
  if (typeof value === 'number') return value.toFixed(2);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * A table as CSV (RFC 4180). Begins with a byte order mark, without which spreadsheets misread
 * letters beyond ASCII. Numbers are amounts, with two decimals and a point.
 */
export const csv = (rows: readonly (readonly (string | number)[])[]): string =>
  `\u{feff}${rows.map(row => `${row.map(cell).join(',')}\r\n`).join('')}`;
