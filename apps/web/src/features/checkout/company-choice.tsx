import type { BuyerDetails } from '@fixpoint/contract/buyer-details.ts';
import { Button } from '@fixpoint/ui/button.tsx';
import { Checkbox } from '@fixpoint/ui/checkbox.tsx';
import { Stack } from '@fixpoint/ui/layout.tsx';
import type { FieldOf } from '@fixpoint/web-client/forms/form-state.ts';
import { useEffect, useState } from 'react';
import {
  type CompanyForm,
  type CompanyValues,
  companyValues,
  typedCompany,
  useCompany,
} from '../../forms/company.ts';
import { LazyCompanyFields } from '../../forms/lazy-company-fields.tsx';
import { useText } from '../../shop/texts.ts';
import { readOrderDraft, saveOrderDraft } from './order-draft.ts';

/** Which company an order is for. `undefined`: the buyer has said nothing, so the saved one counts, if any. */
export type CompanyChoice = { isTicked: boolean | undefined; isTyped: boolean };

/**
 * State of the company of an order: ticked or not, and typed or the one that the customer has saved. What is typed survives a
 * reload and a gateway's page.
 * @param isAsked whether the page asks; else the saved one counts
 */
export function useCompanyChoice(loggedIn: boolean, isAsked: boolean) {
  const [draft] = useState(() => (isAsked ? readOrderDraft().company : undefined));
  const saved = useCompany(loggedIn).data ?? undefined;
  const [choice, setChoice] = useState<CompanyChoice>({
    isTicked: draft && true,
    isTyped: draft !== undefined,
  });
  const isTicked = choice.isTicked ?? saved !== undefined;
  return {
    saved,
    isTicked,
    /** Whether the fields are shown. */
    isTyped: isTicked && (choice.isTyped || !saved),
    defaults: companyValues(draft),
    setChoice,
    /** As it is sent: absent where the saved one counts. */
    sent(values: CompanyValues): BuyerDetails | null | undefined {
      if (!isTicked) return choice.isTicked === false ? null : undefined;
      return choice.isTyped || !saved ? typedCompany(values) : undefined;
    },
  };
}

type CompanyStepForm = {
  field: FieldOf<CompanyForm>;
  values: CompanyValues;
  fill: (values: CompanyValues) => void;
};

/** One line for a private buyer; the fields of a company once it is ticked. */
export function CompanyStep(props: { choice: ReturnType<typeof useCompanyChoice>; form: CompanyStepForm }) {
  const t = useText();
  const { choice, form } = props;
  const { saved, isTicked, isTyped, setChoice } = choice;
  return (
    <Stack gap={4}>
      <Checkbox
        name="forCompany"
        label={t('company.tick')}
        hint={isTicked && !isTyped ? saved?.name : undefined}
        checked={isTicked}
        onChange={({ target }) => {
          setChoice({ isTicked: target.checked, isTyped: target.checked && !saved });
          saveOrderDraft({ company: undefined });
        }}
      />
      {isTicked && !isTyped && (
        <p>
          <Button
            size="s"
            onClick={() => {
              form.fill(companyValues(saved));
              setChoice({ isTicked: true, isTyped: true });
            }}
          >
            {t('company.change')}
          </Button>
        </p>
      )}
      {isTyped && <TypedCompany form={form} />}
    </Stack>
  );
}

/** The fields, whose contents survive a reload. */
function TypedCompany({ form: { field, values } }: { form: CompanyStepForm }) {
  // The library changes the values in place, so they are compared as text.
  const typed = JSON.stringify(typedCompany(values));
  useEffect(() => saveOrderDraft({ company: JSON.parse(typed) }), [typed]);
  return <LazyCompanyFields field={field} country={values.country} />;
}
