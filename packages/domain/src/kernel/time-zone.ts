/**
 * Zone of the capital in countries with several zones, as ISO 3166 code → IANA name. In every other country all zones
 * show the same day.
 */
const CAPITALS: Readonly<Record<string, string>> = {
  AR: 'America/Argentina/Buenos_Aires',
  AU: 'Australia/Sydney',
  BR: 'America/Sao_Paulo',
  CA: 'America/Toronto',
  CD: 'Africa/Kinshasa',
  CL: 'America/Santiago',
  CN: 'Asia/Shanghai',
  CY: 'Asia/Nicosia',
  EC: 'America/Guayaquil',
  ES: 'Europe/Madrid',
  FM: 'Pacific/Pohnpei',
  GL: 'America/Nuuk',
  ID: 'Asia/Jakarta',
  KI: 'Pacific/Tarawa',
  KZ: 'Asia/Almaty',
  MN: 'Asia/Ulaanbaatar',
  MX: 'America/Mexico_City',
  NZ: 'Pacific/Auckland',
  PF: 'Pacific/Tahiti',
  PG: 'Pacific/Port_Moresby',
  PT: 'Europe/Lisbon',
  RU: 'Europe/Moscow',
  UA: 'Europe/Kyiv',
  US: 'America/New_York',
};

/** Zone of days that belong to no seller's country: everything that is shown. */
const SHOWN = 'Asia/Bangkok';

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(country: string): Intl.DateTimeFormat {
  const known = formats.get(country);
  if (known) return known;
  const locale: Intl.Locale & { getTimeZones?(): string[] } = new Intl.Locale('und', { region: country });
  const [only] = locale.getTimeZones?.() ?? [];
  const format = new Intl.DateTimeFormat('en-CA', {
    calendar: 'gregory',
    timeZone: CAPITALS[country] ?? only ?? SHOWN,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  formats.set(country, format);
  return format;
}

/**
 * Day of an instant in a country, `2026-12-31`: of a document, its number and its rate of VAT (M4).
 * @param country ISO 3166 code of the seller's country; undefined: an invoice of version 0.2 does not name it, Bangkok
 */
export const dayIn = (country: string | undefined, at: Date): string => formatOf(country ?? 'TH').format(at);
