import { emailRule } from '@fixpoint/contract/fields.ts';
import { TextField } from '@fixpoint/ui/text-field.tsx';
import { validateWith } from '@fixpoint/web-client/forms/field-errors.ts';
import type { FieldOf } from '@fixpoint/web-client/forms/form-state.ts';
import { type ReactNode, useState } from 'react';
import { useText } from '../../shop/texts.ts';
import { meantEmail } from './email-typo.ts';

/** Email field that suggests a correction if the address looks mistyped. */
export function EmailField(props: {
  field: FieldOf<{ email: string }>;
  label: string;
  hint: ReactNode;
  /** Takes over the suggested address. */
  onMeant: (email: string) => void;
  onTyped?: (email: string) => void;
  autoFocus?: boolean;
}) {
  const t = useText();
  const { onMeant, onTyped, autoFocus } = props;
  const [meant, setMeant] = useState<string>();
  const { onChange, onBlur, ...field } = props.field('email', validateWith(emailRule));
  const question = meant && (
    <span role="status">
      <button
        type="button"
        className="link"
        onClick={() => {
          onMeant(meant);
          onTyped?.(meant);
          setMeant(undefined);
        }}
      >
        {t('order.email.meant', { email: meant })}
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
        setMeant(undefined);
        return onChange(event);
      }}
      onBlur={event => {
        setMeant(meantEmail(event.target.value));
        return onBlur(event);
      }}
      {...field}
    />
  );
}
