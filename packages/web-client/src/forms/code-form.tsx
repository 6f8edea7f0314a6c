import { codeRule } from '@fixpoint/contract/fields.ts';
import { Button } from '@fixpoint/ui/button.tsx';
import { CodeField } from '@fixpoint/ui/code-field.tsx';
import { type ReactNode, useRef } from 'react';
import { Controller } from 'react-hook-form';
import { codeOf } from '../faults.ts';
import { validateWith } from './field-errors.ts';
import { FormFrame } from './form-frame.tsx';
import { useFormState } from './form-state.ts';
import { parseCode } from './parse-code.ts';

/** Code of the catalogue: the one-time code is wrong. */
const WRONG = '7006';

/**
 * Form of one 6-digit code. Submits itself when the last digit is typed. A code that was wrong is not
 * sent again: tries are few, and its answer is known.
 */
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
  const wrong = useRef<{ code: string; error: unknown }>(undefined);
  const state = useFormState<Record<string, string>>({
    defaultValues: { [name]: '' },
    fields: [name],
    send: async values => {
      const code = values[name]!;
      if (wrong.current?.code === code) throw wrong.current.error;
      try {
        await onCode(code);
      } catch (error) {
        if (codeOf(error) === WRONG) wrong.current = { code, error };
        throw error;
      }
    },
    refusals: { [WRONG]: [name, 'form.code.wrong'] },
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
