/** A cell that a spreadsheet would take for a formula begins with one of these. A number below zero is none. */
const FORMULA = /^(?!-\d+(?:\.\d+)?$)[=+\-@\t\r]/;

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A CSV file (RFC 4180) that no spreadsheet executes. */
export const csvOf = (
  columns: readonly string[],
  rows: readonly Record<string, string | number | null>[],
): string =>
  [columns.join(','), ...rows.map(row => columns.map(name => cell(row[name] ?? null)).join(','))]
    .map(line => `${line}\r\n`)
    .join('');
