import { type ComponentProps, type ReactNode, useId } from 'react';
import css from './choice.module.css';
import field from './field.module.css';
import { FieldError, FieldHint, useFieldIds } from './field.tsx';

/** One yes or no. The label may hold links (terms); they stay clickable. */
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

/** Several checkboxes under one question. */
export function CheckboxGroup(props: {
  legend: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  id?: string;
  children: ReactNode;
}) {
  const generated = useId();
  const id = props.id ?? generated;
  const described = [props.hint && `${id}-hint`, props.error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <fieldset className={field.group} id={id} tabIndex={-1} aria-describedby={described || undefined}>
      <legend>{props.legend}</legend>
      <FieldHint id={id}>{props.hint}</FieldHint>
      <FieldError id={id}>{props.error}</FieldError>
      <div>{props.children}</div>
    </fieldset>
  );
}
