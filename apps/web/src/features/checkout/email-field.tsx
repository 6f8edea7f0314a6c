import { emailRule } from '@fixpoint/contract/fields.ts';
import { TextField } from '@fixpoint/ui/text-field.tsx';
import { validateWith } from '@fixpoint/web-client/forms/field-errors.ts';
import type { FieldOf } from '@fixpoint/web-client/forms/form-state.ts';
import { type ReactNode, useState } from 'react';
import { useText } from '../../shop/texts.ts';
import { suggestEmail } from './email-typo.ts';

/** Email field that suggests a correction if the address looks mistyped. */
export function EmailField(props: {
  field: FieldOf<{ email: string }>;
  label: string;
  hint: ReactNode;
  /** Takes over the suggested address. */
  onSuggestion: (email: string) => void;
  onTyped?: (email: string) => void;
  autoFocus?: boolean;
}) {
  const t = useText();
  const { onSuggestion, onTyped, autoFocus } = props;
  const [suggestion, setSuggestion] = useState<string>();
  const { onChange, onBlur, ...field } = props.field('email', validateWith(emailRule));
  const question = suggestion && (
    <span role="status">
      <button
        type="button"
        className="link"
        onClick={() => {
          onSuggestion(suggestion);
          onTyped?.(suggestion);
          setSuggestion(undefined);
        }}
      >
        {t('order.email.meant', { email: suggestion })}
      </button>
    </span>
  );
  return (
    <TextField
      type="email"
      label={props.label}
      // Replaces the hint, so that the page below does not move under a finger.
      hint={question || props.hint}
      autoComplete="email"
      autoCapitalize="none"
      spellCheck={false}
      autoFocus={autoFocus}
      onChange={event => {
        onTyped?.(event.target.value);
        setSuggestion(undefined);
        return onChange(event);
      }}
      onBlur={event => {
        setSuggestion(suggestEmail(event.target.value));
        return onBlur(event);
      }}
      {...field}
    />
  );
}
