import type { CSSProperties, Ref } from 'react';
import css from './code-field.module.css';
import { cx } from './cx.ts';
import { FieldFrame, type FieldTexts, useFieldIds } from './field.tsx';

/**
 * Input of a one-time code. It is ONE input, so that paste, password managers and SMS autofill
 * work; the boxes are only drawn. `value` holds digits only; `onComplete` gets the whole code.
 */
export function CodeField(
  props: FieldTexts & {
    id?: string;
    name?: string;
    length?: number;
    /** Extracts the digits from typed or pasted text. */
    parse: (text: string, length: number) => string;
    value: string;
    onChange: (code: string) => void;
    onComplete?: (code: string) => void;
    disabled?: boolean;
    autoFocus?: boolean;
    ref?: Ref<HTMLInputElement>;
  },
) {
  const { label, hint, error, optional, length = 6, parse, value, onChange, onComplete, ...html } = props;
  const ids = useFieldIds(html, { hint, error });
  const change = (text: string) => {
    const code = parse(text, length);
    onChange(code);
    if (code.length === length && code !== value) onComplete?.(code);
  };
  return (
    <FieldFrame id={ids.id} label={label} hint={hint} error={error} optional={optional}>
      <div className={css.field}>
        <div className={css.frame} style={{ '--length': length } as CSSProperties}>
          <input
            {...html}
            {...ids}
            className={css.input}
            type="text"
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern={`\\d{${length}}`}
            spellCheck={false}
            value={value}
            // No maxlength: it would cut a pasted "123 456" before it is parsed.
            onChange={event => change(event.target.value)}
            // Keeps the caret at the end, where the next box is drawn; leaves a selection alone.
            onSelect={({ currentTarget: input }) => {
              if (input.selectionStart === input.selectionEnd)
                input.setSelectionRange(value.length, value.length);
            }}
          />
          <div className={css.boxes} aria-hidden="true">
            {Array.from({ length }, (_, index) => {
              const next = index === Math.min(value.length, length - 1);
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: the box is its position
                <span key={index} className={cx(css.box, next && css.next)}>
                  {value[index]}
                </span>
              );
            })}
          </div>
        </div>
      </div>
    </FieldFrame>
  );
}
