/** A spreadsheet takes a text that begins like this for a formula and executes it. A number below zero is none. */
const FORMULA = /^(?!-\d+(?:\.\d+)?$)[=+\-@\t\r]/;

/** A text as a cell of CSV (RFC 4180) that no spreadsheet executes. */
export function csvText(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const cell = (value: string | number | null): string =>
  typeof value === 'string' ? csvText(value) : String(value ?? '');

/** CSV for spreadsheets, which misread letters beyond ASCII without a byte order mark. */
export const forSpreadsheets = (csv: string): string => `\u{feff}${csv}`;

/** A CSV file that no spreadsheet executes. */
export const csvOf = (
  columns: readonly string[],
  rows: readonly Record<string, string | number | null>[],
): string =>
  [columns.join(','), ...rows.map(row => columns.map(name => cell(row[name] ?? null)).join(','))]
    .map(line => `${line}\r\n`)
    .join('');
