import {
  confirmPasswordRule,
  invalidPasswordCharacters,
  PASSWORD_MAX,
  PASSWORD_MIN,
  passwordRule,
} from '@fixpoint/contract/fields.ts';
import { PasswordField } from '@fixpoint/ui/password-field.tsx';
import { validateWith } from '@fixpoint/web-client/forms/field-errors.ts';
import type { FieldOf } from '@fixpoint/web-client/forms/form-state.ts';
import { useState } from 'react';
import { type TextKey, type Translate, useText } from '../shop/texts.ts';

/** For password managers that generate passwords. */
const PASSWORD_RULES = `minlength: ${PASSWORD_MIN}; maxlength: ${PASSWORD_MAX}; required: lower; required: upper; required: digit; required: [@$!%*?&];`;

export type NewPassword = { password: string; confirm: string };

type Props<Values extends { password: string }> = {
  field: FieldOf<Values>;
  label?: TextKey;
  width?: 'm' | 'full';
};

const useShared = () => {
  const t = useText();
  return { autoComplete: 'new-password', showLabel: t('password.show'), hideLabel: t('password.hide') };
};

/** New password, with its rule shown below the label. */
export function NewPasswordField({
  field,
  label = 'setPassword.password',
  width,
}: Props<{ password: string }>) {
  const t = useText();
  const shared = useShared();
  const [invalid, setInvalid] = useState('');
  const password = field('password', value => {
    setInvalid(invalidPasswordCharacters(value));
    return validateWith(passwordRule)(value);
  });
  return (
    <PasswordField
      label={t(label)}
      hint={t('password.hint')}
      passwordRules={PASSWORD_RULES}
      width={width}
      {...shared}
      {...password}
      error={password.error && [password.error, whatToRemove(t, invalid)].filter(Boolean).join(' ')}
    />
  );
}

/** New password and its confirmation. */
export function NewPasswordFields(props: Props<NewPassword>) {
  const t = useText();
  const shared = useShared();
  return (
    <>
      <NewPasswordField {...props} />
      <PasswordField
        label={t('setPassword.confirm')}
        width={props.width}
        {...shared}
        {...props.field('confirm', (value, { password }) => confirmPasswordRule(password)(value) ?? true)}
      />
    </>
  );
}

/** Names the characters to remove, because nobody reads a long rule twice. */
function whatToRemove(t: Translate, invalid: string): string | undefined {
  const seen = [...invalid].filter(character => character.trim() !== '');
  if (seen.length > 0) return t('form.password.characters', { characters: seen.join(' ') });
  return invalid === '' ? undefined : t('form.password.space');
}

/** Password managers store the password under this user name. */
export function OwnerOfPassword({ email }: { email: string }) {
  return <input type="email" autoComplete="username" value={email} readOnly hidden />;
}
