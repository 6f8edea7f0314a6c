import { emailRule } from '@fixpoint/contract/fields.ts';
import { TextField } from '@fixpoint/ui/text-field.tsx';
import { validateWith } from '@fixpoint/web-client/forms/field-errors.ts';
import type { FieldOf } from '@fixpoint/web-client/forms/form-state.ts';
import { useText } from '../shop/texts.ts';

/** Email address of an account; password managers store it as the user name. */
export function AccountEmailField({ field }: { field: FieldOf<{ email: string }> }) {
  const t = useText();
  return (
    <TextField
      type="email"
      label={t('login.email')}
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      {...field('email', validateWith(emailRule))}
    />
  );
}
