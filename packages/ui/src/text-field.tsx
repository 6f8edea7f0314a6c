import type { ComponentProps, ReactNode } from 'react';
import { cx } from './cx.ts';
import css from './field.module.css';
import { FieldFrame, type FieldTexts, useFieldIds } from './field.tsx';

/** `mono` is for text that is compared letter by letter: IPs, codes, key names. */
export type TextFieldProps = Omit<ComponentProps<'input'>, 'prefix' | 'width'> &
  FieldTexts & {
    mono?: boolean;
    prefix?: ReactNode;
    suffix?: ReactNode;
    /** A button in line with the box, for a form of one field; below it if there is no room. */
    beside?: ReactNode;
    width?: 's' | 'm' | 'full';
  };

/** Single-line text input. Takes `ref` and every attribute of an input. */
export function TextField(props: TextFieldProps) {
  const { label, hint, error, optional, mono, prefix, suffix, beside, width, className, ...html } = props;
  const ids = useFieldIds(html, { hint, error });
  const box = (
    <div className={cx(css.box, width === 's' && css.widthS, width === 'm' && css.widthM)}>
      {prefix && <span className={css.affix}>{prefix}</span>}
      <input type="text" {...html} {...ids} className={cx(css.input, mono && 'mono', className)} />
      {suffix && <span className={css.affix}>{suffix}</span>}
    </div>
  );
  return (
    <FieldFrame id={ids.id} label={label} hint={hint} error={error} optional={optional}>
      {beside ? (
        <div className={css.withBeside}>
          {box}
          {beside}
        </div>
      ) : (
        box
      )}
    </FieldFrame>
  );
}
