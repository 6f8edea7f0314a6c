import { confirmPasswordRule, PASSWORD_MAX, PASSWORD_MIN, passwordRule } from '@fixpoint/contract/fields.ts';
import { type TextKey, useText } from '../shop/texts.ts';
import { PasswordField } from '../ui/password-field.tsx';
import { ruled } from './form.ts';
import type { FieldOf } from './form-state.ts';

/** For password managers that make one (U21). */
const PASSWORD_RULES = `minlength: ${PASSWORD_MIN}; maxlength: ${PASSWORD_MAX}; required: lower; required: upper; required: digit; required: [@$!%*?&];`;

export type NewPassword = { password: string; confirm: string };

/** A new password, its rule shown before it is typed, and once more (W41, W42). */
export function NewPasswordFields(props: {
  field: FieldOf<NewPassword>;
  label?: TextKey;
  width?: 'm' | 'full';
}) {
  const t = useText();
  const { field, label = 'setPassword.password', width } = props;
  const shared = {
    autoComplete: 'new-password',
    showLabel: t('password.show'),
    hideLabel: t('password.hide'),
    width,
  };
  return (
    <>
      <PasswordField
        label={t(label)}
        hint={t('password.hint')}
        passwordRules={PASSWORD_RULES}
        {...shared}
        {...field('password', ruled(passwordRule))}
      />
      <PasswordField
        label={t('setPassword.confirm')}
        {...shared}
        {...field('confirm', (value, { password }) => confirmPasswordRule(password)(value) ?? true)}
      />
    </>
  );
}

/** Password managers keep the password under the name that this field holds. */
export function OwnerOfPassword({ email }: { email: string }) {
  return <input type="email" autoComplete="username" value={email} readOnly hidden />;
}
