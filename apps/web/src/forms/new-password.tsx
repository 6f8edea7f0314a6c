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

type NewPassword = { password: string; confirm: string };

type Props = {
  field: FieldOf<NewPassword>;
  label?: TextKey;
  width?: 'm' | 'full';
};

/**
 * New password, with its rule shown below the label, and its confirmation. Messages and hint have
 * fixed words (W41); what else helps stands in a second line.
 */
export function NewPasswordFields({ field, label = 'setPassword.password', width }: Props) {
  const t = useText();
  const shared = {
    autoComplete: 'new-password',
    showLabel: t('password.show'),
    hideLabel: t('password.hide'),
    width,
  };
  const [invalid, setInvalid] = useState('');
  const { error, ...password } = field('password', value => {
    setInvalid(invalidPasswordCharacters(value));
    return validateWith(passwordRule)(value);
  });
  return (
    <>
      <PasswordField
        label={t(label)}
        hint={<Lines first={t('password.hint')} second={t('password.hint.more')} />}
        passwordRules={PASSWORD_RULES}
        {...shared}
        {...password}
        error={error && <Lines first={error} second={whatToRemove(t, invalid)} />}
      />
      <PasswordField
        label={t('setPassword.confirm')}
        {...shared}
        {...field('confirm', (value, { password }) => confirmPasswordRule(password)(value) ?? true)}
      />
    </>
  );
}

function Lines({ first, second }: { first: string; second: string | undefined }) {
  return (
    <>
      {first}
      {second && (
        <>
          <br />
          {second}
        </>
      )}
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
