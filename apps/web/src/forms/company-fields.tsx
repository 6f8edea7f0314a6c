import { addressFields, taxIdKind } from '@fixpoint/contract/buyer-details.ts';
import { Stack } from '@fixpoint/ui/layout.tsx';
import { Select } from '@fixpoint/ui/select.tsx';
import { TextField } from '@fixpoint/ui/text-field.tsx';
import type { FieldOf } from '@fixpoint/web-client/forms/form-state.ts';
import { useCountries } from '../shop/country.ts';
import { useText } from '../shop/texts.ts';
import { type CompanyForm, companyField } from './company.ts';

const AUTOCOMPLETE = {
  line1: 'address-line1',
  line2: 'address-line2',
  city: 'address-level2',
  region: 'address-level1',
  postcode: 'postal-code',
} as const;

/** Fields of a company: its country first, because it decides which the others are. */
export function CompanyFields<V extends CompanyForm>(props: { field: FieldOf<V>; country: string }) {
  const t = useText();
  const countries = useCountries();
  const { country } = props;
  const field = (name: Parameters<typeof companyField>[1], required = false) => ({
    ...companyField(props.field, name, required),
    ...(required ? {} : { optional: t('form.optional') }),
  });
  const kind = taxIdKind(country);
  return (
    <Stack gap={4}>
      <Select
        label={t('company.country')}
        placeholder={t('company.choose')}
        options={countries}
        autoComplete="country"
        {...field('country', true)}
      />
      {country && (
        <>
          <TextField label={t('company.name')} autoComplete="organization" {...field('name', true)} />
          {addressFields(country).map(({ field: name, label, required }) => (
            <TextField
              key={`${country}.${name}`}
              label={t(`company.${label}`)}
              autoComplete={AUTOCOMPLETE[name]}
              width={name === 'postcode' ? 'm' : 'full'}
              {...field(name, required)}
            />
          ))}
          <TextField
            label={t(kind === 'vat' ? 'company.vatId' : 'company.taxId')}
            mono
            width="m"
            autoComplete="off"
            {...field('taxId', kind === 'thai')}
          />
          {kind === 'thai' && (
            <TextField
              label={t('company.branch')}
              hint={t('company.branch.hint')}
              mono
              width="m"
              inputMode="numeric"
              autoComplete="off"
              {...field('branch', true)}
            />
          )}
          <TextField
            label={t('company.purchaseOrder')}
            width="m"
            autoComplete="off"
            {...field('purchaseOrder')}
          />
          <TextField
            label={t('company.recipients')}
            hint={t('company.recipients.hint')}
            autoCapitalize="none"
            spellCheck={false}
            autoComplete="off"
            {...field('recipients')}
          />
        </>
      )}
    </Stack>
  );
}
