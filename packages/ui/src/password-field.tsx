import { type ComponentProps, useState } from 'react';
import { cx } from './cx.ts';
import css from './field.module.css';
import { FieldFrame, type FieldTexts, useFieldIds } from './field.tsx';
import { IconEye, IconEyeOff } from './topic-icons.tsx';

/**
 * Password input with a button that shows the text. The button's label changes instead of a pressed
 * state, for screen readers. `passwordRules` is for password managers.
 */
export function PasswordField(
  props: Omit<ComponentProps<'input'>, 'type' | 'width'> &
    FieldTexts & { showLabel: string; hideLabel: string; passwordRules?: string; width?: 'm' | 'full' },
) {
  const { label, hint, error, optional, showLabel, hideLabel, passwordRules, width, ...html } = props;
  const ids = useFieldIds(html, { hint, error });
  const [shown, setShown] = useState(false);
  // React does not know `passwordrules`, but passes on unknown lower-case attributes.
  const rules = passwordRules ? { passwordrules: passwordRules } : {};
  return (
    <FieldFrame id={ids.id} label={label} hint={hint} error={error} optional={optional}>
      <div className={cx(css.box, width === 'm' && css.widthM)}>
        <input
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          {...html}
          {...ids}
          {...rules}
          type={shown ? 'text' : 'password'}
          className={css.input}
        />
        <button type="button" className={css.reveal} aria-controls={ids.id} onClick={() => setShown(!shown)}>
          {shown ? <IconEyeOff /> : <IconEye />}
          <span>{shown ? hideLabel : showLabel}</span>
        </button>
      </div>
    </FieldFrame>
  );
}
