import { operationOf } from './areas.ts';

/** The verb that the name of an area alone stands for. */
const BY_DEFAULT: Record<string, string> = {
  alerts: 'list',
  backup: 'make',
  books: 'check',
  clock: 'show',
  credit: 'give',
  customer: 'show',
  dispute: 'list',
  'no-logs': 'prove',
  ready: 'show',
  refund: 'invoice',
  reprice: 'announce',
  restore: 'backup',
  verify: 'backup',
};

/** Verbs whose input may follow the name of the area. */
const TAKES_MORE = new Set([
  'backup',
  'books',
  'credit',
  'customer',
  'no-logs',
  'ready',
  'refund',
  'reprice',
  'restore',
  'verify',
]);

/** Writes an earlier or short spelling of a command as area, verb and the rest. */
export function spelledOut(given: readonly string[]): string[] {
  const [area = '', verb = '', ...rest] = renamed(given);
  const byDefault = BY_DEFAULT[area];
  if (operationOf(area, verb) || !byDefault) return renamed(given);
  const more = renamed(given).slice(1);
  if (area === 'refund') return ['refund', ...refundVerb(more)];
  if (more.length > 0 && !TAKES_MORE.has(area) && !more.every(word => word.startsWith('--')))
    return [area, verb, ...rest];
  return [area, byDefault, ...more];
}

/** Spellings until version 0.2. */
function renamed([area = '', ...rest]: readonly string[]): string[] {
  const [verb, ...more] = rest;
  if (area === 'attention') return renamed(['alerts', ...rest]);
  if (area === 'prove-no-logs') return ['no-logs', 'prove', ...rest];
  if (area === 'alerts' && verb === 'mend') return renamed(['alerts', 'resolve', ...more]);
  if (area === 'alerts' && verb === 'resolve' && more.length === 2 && !more[0]!.startsWith('--'))
    return ['alerts', 'resolve', more[1]!, '--kind', more[0]!];
  if (area === 'books' && verb === 'payouts' && more[0] === '--arrived')
    return ['books', 'arrived', ...more.slice(1)];
  if (area === 'clock' && /^[+-]?\d/.test(verb ?? '')) return ['clock', 'advance', ...rest];
  if (area === 'dispute' && verb === 'evidence' && more.length === 2)
    return ['dispute', 'evidence', more[0]!, '--output', more[1]!];
  return [area, ...rest];
}

/** Until version 0.2 options chose what `refund` does. */
function refundVerb(given: readonly string[]): string[] {
  const without = (flag: string) => given.filter(word => word !== flag);
  if (given.includes('--again')) return ['again', ...without('--again')];
  if (given.includes('--made')) return ['book', ...given];
  if (given.includes('--write-off')) return ['due', ...given];
  if (given.includes('--by-hand') && given.some(word => /^(ref|inv)_/.test(word)))
    return ['due', ...without('--by-hand')];
  return ['invoice', ...given];
}

/** Says what has replaced a command. @param country of sale */
export function replacedBy(
  [area, flag, rate = 'RATE', ...rest]: readonly string[],
  country: () => string,
): string | undefined {
  if (area !== 'reprice' || flag !== '--vat') return undefined;
  const day = rest[rest.indexOf('--from') + 1] ?? 'DAY';
  return `Nothing was changed. A rate of VAT stands in the catalogue with its first day. Put this into the catalogue, with the present rate first:

vat:
  ${country()}:
    - { rate: PRESENT_RATE }
    - { from: ${day}, rate: ${rate} }

Then import it. Customers who renew at the new rate are notified by themselves:
  npm run shop -- catalogue import FILE`;
}
