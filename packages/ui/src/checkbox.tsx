import type { ComponentProps, ReactNode } from 'react';
import css from './choice.module.css';
import { useFieldIds } from './field.tsx';
import { FieldError, FieldHint } from './field-messages.tsx';

/** A checkbox. The label may hold links (terms); they stay clickable. */
export function Checkbox(
  props: Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode; hint?: ReactNode; error?: ReactNode },
) {
  const { label, hint, error, ...html } = props;
  const ids = useFieldIds(
    { id: html.id, name: html.value === undefined ? html.name : undefined },
    { hint, error },
  );
  return (
    <div className={css.choice}>
      <input {...html} {...ids} type="checkbox" className={css.control} />
      <label className={css.text} htmlFor={ids.id}>
        {label}
      </label>
      {(hint || error) && (
        <div className={css.below}>
          <FieldHint id={ids.id}>{hint}</FieldHint>
          <FieldError id={ids.id}>{error}</FieldError>
        </div>
      )}
    </div>
  );
}
