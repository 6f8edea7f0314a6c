/** The company that invoices are made out to, as it was typed. Empty strings are left out. */
export type BuyerDetails = {
  name: string;
  /** ISO 3166 code. */
  country: string;
  line1: string;
  line2?: string;
  city?: string;
  region?: string;
  postcode?: string;
  /** Thailand: 13 digits; the EU: the VAT-ID with its prefix; elsewhere any text. */
  taxId?: string;
  /** Thailand only: five digits, `00000` for the head office. */
  branch?: string;
  /** The buyer's own order number. */
  purchaseOrder?: string;
  /** Who else gets the emails with its documents. */
  recipients?: string[];
};
export type BuyerField = keyof BuyerDetails;

export const RECIPIENTS_MAX = 5;

/** What a wrong field says. */
export const buyerFaults = {
  name: 'form.company.name',
  country: 'form.company.country',
  line1: 'form.company.line1',
  line2: 'form.company.line2',
  city: 'form.company.city',
  region: 'form.company.region',
  postcode: 'form.company.postcode',
  taxId: 'form.company.taxId',
  vatId: 'form.company.vatId',
  branch: 'form.company.branch',
  recipients: 'form.company.recipients',
  unprintable: 'form.company.unprintable',
} as const;

export type AddressField = 'line1' | 'line2' | 'city' | 'region' | 'postcode';
/** A field of an address: what it is called in its country, and whether an address there is complete without it. */
export type AskedField = { field: AddressField; label: AddressLabel; required: boolean };
export type AddressLabel =
  | 'line1'
  | 'line2'
  | 'subdistrict'
  | 'district'
  | 'city'
  | 'province'
  | 'state'
  | 'prefecture'
  | 'postcode';

/** `!`: required. */
const layout = (text: string): readonly AskedField[] =>
  text.split(' ').map(each => {
    const [label, field = label] = each.replace('!', '').split(':');
    return {
      field: field as AddressField,
      label: label as AddressLabel,
      required: each.endsWith('!'),
    };
  });

const EUROPE = layout('line1! line2 postcode! city!');
const PROVINCES = layout('line1! line2 city! province:region postcode');
const STATES = layout('line1! line2 city! state:region! postcode!');
const OTHERS = layout('line1! line2 city! province:region postcode');

/** Layouts by country: the order in which its people write an address down. */
const LAYOUTS: readonly (readonly [string, readonly AskedField[]])[] = [
  ['TH', layout('line1! subdistrict:line2! district:city! province:region! postcode!')],
  ['JP', layout('postcode! prefecture:region! city! line1! line2')],
  ['KR', layout('province:region! city! line1! line2 postcode!')],
  ['CN TW', layout('province:region! city! line1! line2 postcode')],
  ['US AU IN MY BR MX', STATES],
  ['CA PH ID VN LA KH MM', PROVINCES],
  ['SG', layout('line1! line2 postcode!')],
  ['HK MO', layout('line1! line2 district:city!')],
  ['GB IE', layout('line1! line2 city! postcode!')],
  [
    'AT BE BG CH CY CZ DE DK EE ES FI FR GR HR HU IS IT LI LT LU LV MC MT NL NO PL PT RO SE SI SK SM VA',
    EUROPE,
  ],
];
const BY_COUNTRY = new Map(
  LAYOUTS.flatMap(([countries, fields]) => countries.split(' ').map(country => [country, fields] as const)),
);

/** The address fields of a country. */
export const addressFields = (country: string): readonly AskedField[] => BY_COUNTRY.get(country) ?? OTHERS;

/** How companies of a country are identified to their tax office. */
export type TaxIdKind = 'thai' | 'vat' | 'other';
const EU = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
);
export const taxIdKind = (country: string): TaxIdKind =>
  country === 'TH' ? 'thai' : EU.has(country) ? 'vat' : 'other';
