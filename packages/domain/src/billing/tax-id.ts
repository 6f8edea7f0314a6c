/**
 * Thirteen digits, the last of which checks the others (Revenue Department; the same for citizens and companies): weights
 * 13 to 2, and what is missing to a multiple of eleven.
 */
export function isThaiTaxId(id: string): boolean {
  if (!/^\d{13}$/.test(id)) return false;
  const digits = [...id].map(Number);
  const sum = digits.slice(0, 12).reduce((total, digit, i) => total + digit * (13 - i), 0);
  return digits[12] === (11 - (sum % 11)) % 10;
}

/** Formats of VAT-IDs behind their prefix, by country (European Commission, VIES). */
const VAT_IDS: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  ES: /^(?:[A-Z]\d{7}[A-Z\d]|\d{8}[A-Z])$/,
  FI: /^\d{8}$/,
  FR: /^[A-HJ-NP-Z\d]{2}\d{9}$/,
  GR: /^\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(?:\d{7}[A-Z]{1,2}|\d[A-Z+*]\d{5}[A-Z])$/,
  IT: /^\d{11}$/,
  LT: /^(?:\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^\d{9}B\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
};

/** Whether companies of a country have a VAT-ID of the EU. */
export const hasVatIds = (country: string): boolean => country in VAT_IDS;

/**
 * A VAT-ID as it is printed: capitals, no spaces, with the prefix of its country, which may be left out when it is typed.
 * Greece writes EL.
 * @param country ISO 3166 code of a country with VAT-IDs
 * @returns undefined where it does not have the country's format
 */
export function vatIdOf(country: string, typed: string): string | undefined {
  const prefix = country === 'GR' ? 'EL' : country;
  const id = typed.toUpperCase().replace(/[\s.-]/g, '');
  const own = id.startsWith(prefix) ? id.slice(prefix.length) : id;
  return VAT_IDS[country]?.test(own) ? prefix + own : undefined;
}
