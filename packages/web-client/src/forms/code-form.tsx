import { codeRule } from '@fixpoint/contract/fields.ts';
import { Button } from '@fixpoint/ui/button.tsx';
import { CodeField } from '@fixpoint/ui/code-field.tsx';
import type { ReactNode } from 'react';
import { Controller } from 'react-hook-form';
import { validateWith } from './field-errors.ts';
import { FormFrame } from './form-frame.tsx';
import { useFormState } from './form-state.ts';
import { parseCode } from './parse-code.ts';

/** Form of one 6-digit code. Submits itself when the last digit is typed. */
export function CodeForm(props: {
  /** Name of the field, unique on the page. */
  name: string;
  label: string;
  hint?: string;
  submitLabel: string;
  onCode: (code: string) => Promise<unknown>;
  backLabel: string;
  onBack: () => void;
  /** Content below the field. */
  children?: ReactNode;
}) {
  const { name, label, hint, submitLabel, onCode, backLabel, onBack, children } = props;
  const state = useFormState<Record<string, string>>({
    defaultValues: { [name]: '' },
    fields: [name],
    send: values => onCode(values[name]!),
    refusals: { 7006: [name, 'form.code.wrong'] },
  });
  return (
    <FormFrame
      state={state}
      single
      actions={
        <>
          <Button type="submit" variant="primary" busy={state.busy}>
            {submitLabel}
          </Button>
          <Button variant="quiet" onClick={onBack}>
            {backLabel}
          </Button>
        </>
      }
    >
      <Controller
        name={name}
        control={state.form.control}
        rules={{ validate: validateWith(codeRule) }}
        render={({ field }) => (
          <CodeField
            {...field}
            parse={parseCode}
            value={field.value ?? ''}
            autoFocus
            label={label}
            hint={hint}
            error={state.errorOf(name)}
            onComplete={() => void state.submit()}
          />
        )}
      />
      {children}
    </FormFrame>
  );
}
