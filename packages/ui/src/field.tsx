import { type ReactNode, useId } from 'react';
import css from './field.module.css';
import { FieldError, FieldHint } from './field-words.tsx';

/** What every field says about itself: label above, hint before typing, error beside the field. */
export type FieldTexts = {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  /** The word for "optional", shown after the label; required is the rule and not marked. */
  optional?: string;
};

export type FieldIds = {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
};

/** Ids that tie hint and error to the control; the id is what an error summary links to. */
export function useFieldIds(
  html: { id?: string; name?: string },
  texts: Omit<FieldTexts, 'label'>,
): FieldIds {
  const generated = useId();
  const id = html.id ?? html.name ?? generated;
  const described = [texts.hint && `${id}-hint`, texts.error && `${id}-error`].filter(Boolean).join(' ');
  return { id, 'aria-describedby': described || undefined, 'aria-invalid': texts.error ? true : undefined };
}

/** Label, hint, control, error, in the order they are read. */
export function FieldFrame(
  props: FieldTexts & {
    id: string;
    /** The error may come while the field is filled in, and is read out then. */
    live?: boolean;
    children: ReactNode;
  },
) {
  const { id, label, hint, error, optional, live, children } = props;
  const wrong = <FieldError id={id}>{error}</FieldError>;
  return (
    <div className={css.field}>
      <label className={css.label} htmlFor={id}>
        {label}
        {optional && <span className={css.optional}> ({optional})</span>}
      </label>
      <FieldHint id={id}>{hint}</FieldHint>
      {children}
      {live ? (
        <div className={css.live} aria-live="polite">
          {wrong}
        </div>
      ) : (
        wrong
      )}
    </div>
  );
}
