import type { ComponentProps, ReactNode } from 'react';
import { cx } from './cx.ts';
import css from './field.module.css';
import { FieldError } from './field-messages.tsx';

/**
 * A narrow text input in a table, whose row and column name it for the eye. `label` is its
 * accessible name; `hintId` the hint that all of the table's inputs share.
 */
export function InlineField(
  props: Omit<ComponentProps<'input'>, 'id'> & {
    name: string;
    label: string;
    hintId: string;
    suffix?: ReactNode;
    error?: ReactNode;
  },
) {
  const { label, hintId, suffix, error, name, ...html } = props;
  return (
    <div className={css.field}>
      <div className={cx(css.box, css.widthS, css.inline)}>
        <input
          type="text"
          {...html}
          id={name}
          name={name}
          className={css.input}
          aria-label={label}
          aria-describedby={error ? `${hintId} ${name}-error` : hintId}
          aria-invalid={error ? true : undefined}
        />
        {suffix && <span className={css.affix}>{suffix}</span>}
      </div>
      <FieldError id={name}>{error}</FieldError>
    </div>
  );
}
