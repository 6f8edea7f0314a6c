import type { ComponentProps } from 'react';
import { cx } from './cx.ts';
import css from './field.module.css';
import { FieldFrame, type FieldTexts, useFieldIds } from './field.tsx';
import { IconChevronDown } from './icons.tsx';

export type SelectOption = { value: string; label: string; disabled?: boolean };

/** The platform's own select in our frame, for the native picker on phones. */
export function Select(
  props: ComponentProps<'select'> &
    FieldTexts & { options: SelectOption[]; placeholder?: string; width?: 'm' | 'full' },
) {
  const { label, hint, error, optional, options, placeholder, width, ...html } = props;
  const ids = useFieldIds(html, { hint, error });
  return (
    <FieldFrame id={ids.id} label={label} hint={hint} error={error} optional={optional}>
      <div className={cx(css.box, width === 'm' && css.widthM)}>
        <select {...html} {...ids} className={cx(css.input, css.select)}>
          {placeholder && <option value="">{placeholder}</option>}
          {options.map(option => (
            <option key={option.value} value={option.value} disabled={option.disabled}>
              {option.label}
            </option>
          ))}
        </select>
        <span className={css.chevron}>
          <IconChevronDown />
        </span>
      </div>
    </FieldFrame>
  );
}
