import type { BuyerDetails } from '@fixpoint/contract/buyer-details.ts';
import { Button } from '@fixpoint/ui/button.tsx';
import { Checkbox } from '@fixpoint/ui/checkbox.tsx';
import { Section, Stack } from '@fixpoint/ui/layout.tsx';
import { FormFrame } from '@fixpoint/web-client/forms/form-frame.tsx';
import { useFormState } from '@fixpoint/web-client/forms/form-state.ts';
import { useState } from 'react';
import { companyFields, companyValues, typedCompany, useCompany } from '../../forms/company.ts';
import { LazyCompanyFields } from '../../forms/lazy-company-fields.tsx';
import { api } from '../../server/api.ts';
import { queryClient } from '../../server/query.ts';
import { snacks } from '../../shop/snack.ts';
import { useText } from '../../shop/texts.ts';

/** The company that invoices are made out to: one line for a private buyer. */
export function CompanySection() {
  const t = useText();
  const { data } = useCompany();
  // Renders again with what is stored once that has changed.
  return (
    <Section title={t('company.title')}>
      {data !== undefined && <CompanyForm key={JSON.stringify(data)} saved={data} />}
    </Section>
  );
}

function CompanyForm({ saved }: { saved: BuyerDetails | null }) {
  const t = useText();
  const [isTicked, setTicked] = useState(saved !== null);
  const state = useFormState({
    defaultValues: { company: companyValues(saved ?? {}) },
    fields: isTicked ? companyFields : [],
    send: async ({ company }) => {
      await api.billing.setCompany({ body: { company: isTicked ? typedCompany(company) : null } });
      snacks.show({ type: 'success', text: t(isTicked ? 'company.saved' : 'account.emails.saved') });
      await queryClient.invalidateQueries({ queryKey: ['company'] });
    },
  });
  return (
    <FormFrame
      state={state}
      actions={
        (isTicked || saved) && (
          <Button type="submit" variant="primary" busy={state.busy}>
            {t('company.save')}
          </Button>
        )
      }
    >
      <Stack gap={4}>
        <Checkbox
          name="forCompany"
          label={t('company.tick')}
          checked={isTicked}
          onChange={({ target }) => setTicked(target.checked)}
        />
        {isTicked && (
          <>
            <LazyCompanyFields field={state.field} country={state.form.watch('company.country')} />
            <p className="muted">{t('company.note')}</p>
          </>
        )}
      </Stack>
    </FormFrame>
  );
}
