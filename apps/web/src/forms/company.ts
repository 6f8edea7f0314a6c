import { type BuyerDetails, type BuyerField, buyerFaults } from '@fixpoint/contract/buyer-details.ts';
import type { FieldOf } from '@fixpoint/web-client/forms/form-state.ts';
import { useQuery } from '@tanstack/react-query';
import { api } from '../server/api.ts';

/** What the fields of a company hold; the addresses of recipients as they were typed. */
export type CompanyValues = Record<BuyerField, string>;
/** A form with the fields of a company. */
export type CompanyForm = { company: CompanyValues };

const fields: readonly BuyerField[] = [
  'country',
  'name',
  'line1',
  'line2',
  'city',
  'region',
  'postcode',
  'taxId',
  'branch',
  'purchaseOrder',
  'recipients',
];
/** Names of the fields in a form, in the order on the screen. */
export const companyFields = fields.map(field => `company.${field}` as const);

export const companyValues = (of: Partial<BuyerDetails> = {}): CompanyValues =>
  Object.fromEntries(
    fields.map(field => [
      field,
      field === 'recipients' ? (of.recipients ?? []).join(', ') : (of[field] ?? ''),
    ]),
  ) as CompanyValues;

/** The company as it is sent. The server checks it by the rules of its country. */
export const typedCompany = ({ recipients, ...values }: CompanyValues): BuyerDetails => ({
  ...values,
  recipients: recipients.split(/[\s,;]+/).filter(Boolean),
});

/** The company that the customer's invoices are made out to. */
export const useCompany = (enabled = true) =>
  useQuery({
    queryKey: ['company'],
    queryFn: async () => (await api.billing.getCompany({})).company,
    enabled,
  });

/** The library registers nested names, which the type of a form's `field` does not list. */
export function companyField<V extends CompanyForm>(field: FieldOf<V>, name: BuyerField, required: boolean) {
  const missing = name === 'purchaseOrder' ? buyerFaults.unprintable : buyerFaults[name];
  return (field as unknown as FieldOf<Record<string, string>>)(
    `company.${name}`,
    value => !required || value.trim() !== '' || missing,
  );
}
