/**
 * The rules of the three card fields, without any page: formatting, brand, completeness.
 *
 * @typedef {'number' | 'expiry' | 'cvc'} Field
 * @typedef {{ code: string } | undefined} Fault
 */

/** @type {{ brand: string, start: RegExp, lengths: number[], groups: number[] }[]} */
const NETWORKS = [
  { brand: 'visa', start: /^4/, lengths: [16], groups: [4, 4, 4, 4] },
  { brand: 'mastercard', start: /^(5[1-5]|2[2-7])/, lengths: [16], groups: [4, 4, 4, 4] },
  { brand: 'amex', start: /^3[47]/, lengths: [15], groups: [4, 6, 5] },
  { brand: 'discover', start: /^6(011|4[4-9]|5)/, lengths: [16], groups: [4, 4, 4, 4] },
  { brand: 'diners', start: /^3(0[0-5]|[68])/, lengths: [14, 16], groups: [4, 6, 4] },
  { brand: 'jcb', start: /^35/, lengths: [16], groups: [4, 4, 4, 4] },
  { brand: 'unionpay', start: /^62/, lengths: [16, 19], groups: [4, 4, 4, 4, 3] },
];
const UNKNOWN = { brand: 'unknown', start: /^/, lengths: [16], groups: [4, 4, 4, 4] };

const digits = (/** @type {string} */ text) => text.replace(/\D/g, '');
const network = (/** @type {string} */ number) => NETWORKS.find(one => one.start.test(number)) ?? UNKNOWN;

/** Returns the network of a number's first digits, or `unknown`. */
export const brandOf = (/** @type {string} */ number) => network(digits(number)).brand;

/** Formats what was typed: `4242 4242 …`, `04 / 30`. */
export function format(/** @type {Field} */ field, /** @type {string} */ text, brand = 'unknown') {
  const typed = digits(text);
  if (field === 'cvc') return typed.slice(0, brand === 'amex' ? 4 : brand === 'unknown' ? 4 : 3);
  if (field === 'expiry') return formatExpiry(typed, text);
  const { groups, lengths } = network(typed);
  const parts = [];
  let rest = typed.slice(0, Math.max(...lengths));
  for (const size of groups) {
    if (rest) parts.push(rest.slice(0, size));
    rest = rest.slice(size);
  }
  return parts.join(' ');
}

function formatExpiry(/** @type {string} */ typed, /** @type {string} */ text) {
  const month = /^[2-9]/.test(typed) || /^1[^0-2]/.test(typed) || /^\d\s*\//.test(text) ? `0${typed}` : typed;
  // Autofill writes four-digit years.
  const short = /^\d{2}20\d{2}$/.test(month) ? month.slice(0, 2) + month.slice(4) : month.slice(0, 4);
  return short.length > 2 || (short.length === 2 && text.endsWith('/'))
    ? `${short.slice(0, 2)} / ${short.slice(2)}`
    : short;
}

/** Returns the fault of a field; nothing if it is complete. `today` decides over the expiry. */
export function fault(
  /** @type {Field} */ field,
  /** @type {string} */ text,
  /** @type {string} */ brand,
  /** @type {Date} */ today,
) {
  const typed = digits(text);
  if (field === 'cvc')
    return typed.length < (brand === 'amex' ? 4 : 3) ? { code: 'incomplete_cvc' } : undefined;
  if (field === 'expiry') return expiryFault(typed, today);
  if (!network(typed).lengths.includes(typed.length)) return { code: 'incomplete_number' };
  return luhn(typed) ? undefined : { code: 'invalid_number' };
}

/** @returns {Fault} */
function expiryFault(/** @type {string} */ typed, /** @type {Date} */ today) {
  if (typed.length < 4) return { code: 'incomplete_expiry' };
  const month = Number(typed.slice(0, 2));
  const year = 2000 + Number(typed.slice(2));
  if (month < 1 || month > 12) return { code: 'incomplete_expiry' };
  if (year < today.getFullYear()) return { code: 'invalid_expiry_year_past' };
  if (year === today.getFullYear() && month < today.getMonth() + 1)
    return { code: 'invalid_expiry_month_past' };
  return year > today.getFullYear() + 50 ? { code: 'invalid_expiry_year' } : undefined;
}

/** Whether a fault is shown while typing: an unfinished field is not wrong yet. */
export const isWrong = (/** @type {Fault} */ found) => found?.code.startsWith('invalid_') ?? false;

function luhn(/** @type {string} */ number) {
  let sum = 0;
  for (const [index, digit] of [...number].reverse().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}
