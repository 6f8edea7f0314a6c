import { type ReactNode, useId } from 'react';
import css from './field.module.css';
import { FieldError, FieldHint } from './field-messages.tsx';

/** Texts of every field: label above, hint below it, error beside the field. */
export type FieldTexts = {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  /** The word for "optional", shown after the label. Required fields are not marked. */
  optional?: string;
};

export type FieldIds = {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
};

/** Ids that link hint and error to the control. An error summary links to `id`. */
export function useFieldIds(
  html: { id?: string; name?: string },
  texts: Omit<FieldTexts, 'label'>,
): FieldIds {
  const generated = useId();
  const id = html.id ?? html.name ?? generated;
  const described = [texts.hint && `${id}-hint`, texts.error && `${id}-error`].filter(Boolean).join(' ');
  return { id, 'aria-describedby': described || undefined, 'aria-invalid': texts.error ? true : undefined };
}

/** Label, hint, control and error, in reading order. */
export function FieldFrame(
  props: FieldTexts & {
    id: string;
    /** Announces an error that appears while the field is filled in. */
    live?: boolean;
    children: ReactNode;
  },
) {
  const { id, label, hint, error, optional, live, children } = props;
  const wrong = <FieldError id={id}>{error}</FieldError>;
  return (
    <div className={css.field}>
      <label className={css.label} htmlFor={id}>
        <span>{label}</span>
        {optional && <span className={css.optional}>{` (${optional})`}</span>}
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
