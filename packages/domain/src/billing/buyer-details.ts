import { hasVatIds, isThaiTaxId, vatIdOf } from './tax-id.ts';

type AddressField = 'line1' | 'line2' | 'city' | 'region' | 'postcode';
type Typed = Partial<
  Record<AddressField | 'name' | 'country' | 'taxId' | 'branch' | 'purchaseOrder', string>
> & {
  recipients?: readonly string[];
};
type Checked = {
  name: string;
  country: string;
  line1: string;
  recipients?: string[];
} & Partial<Record<Exclude<AddressField, 'line1'> | 'taxId' | 'branch' | 'purchaseOrder', string>>;
type Field = keyof Typed;
/** `vatId`: a tax ID that is no VAT-ID of its country; `unprintable`: a control character. */
type Fault = Exclude<Field, 'purchaseOrder'> | 'vatId' | 'unprintable';

/** Postcodes of countries that ask for a fixed number of digits. */
const POSTCODES: Readonly<Record<string, RegExp>> = {
  TH: /^[1-9]\d{4}$/,
  SG: /^\d{6}$/,
  KR: /^\d{5}$/,
  JP: /^\d{3}-?\d{4}$/,
  DE: /^\d{5}$/,
};

const tidy = (value: string | undefined): string => value?.replace(/\s+/g, ' ').trim() ?? '';
// Spaces are tidied before, so what is left are characters that no page shows.
const isUnprintable = (value: string): boolean => /\p{Cc}/u.test(value);

/**
 * Checks the company of an invoice, and writes it as it will be printed. A field that its country does not have is dropped,
 * so that a change of country leaves nothing behind.
 * @param asked the address fields of the country
 * @returns every wrong field, or the details
 */
export function checkBuyer(
  typed: Typed,
  asked: readonly { field: AddressField; required: boolean }[],
): { details: Checked } | { faults: Partial<Record<Field, Fault>> } {
  const faults: Partial<Record<Field, Fault>> = {};
  const details: Record<string, string> = {};
  const keep = (field: Exclude<Field, 'recipients'>, required: boolean) => {
    const value = tidy(typed[field]);
    if (isUnprintable(value)) faults[field] = 'unprintable';
    else if (value) details[field] = value;
    else if (required && field !== 'purchaseOrder') faults[field] = field;
  };
  keep('name', true);
  keep('country', true);
  for (const { field, required } of asked) keep(field, required);
  keep('taxId', typed.country === 'TH');
  if (typed.country === 'TH') keep('branch', true);
  keep('purchaseOrder', false);

  const { country = '', postcode, taxId, branch } = details;
  if (postcode && POSTCODES[country]?.test(postcode) === false) faults.postcode = 'postcode';
  if (country === 'TH') {
    const digits = taxId?.replace(/[\s-]/g, '');
    if (digits && !isThaiTaxId(digits)) faults.taxId = 'taxId';
    else if (digits) details.taxId = digits;
    if (branch && !/^\d{5}$/.test(branch)) faults.branch = 'branch';
  } else if (taxId && hasVatIds(country)) {
    const vatId = vatIdOf(country, taxId);
    if (vatId) details.taxId = vatId;
    else faults.taxId = 'vatId';
  }
  if (Object.keys(faults).length > 0) return { faults };
  const recipients = [...new Set(typed.recipients)];
  return { details: { ...details, ...(recipients.length > 0 && { recipients }) } as Checked };
}
