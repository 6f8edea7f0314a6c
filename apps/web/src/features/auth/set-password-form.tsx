import { confirmPasswordRule, PASSWORD_MAX, PASSWORD_MIN, passwordRule } from '@fixpoint/contract/fields.ts';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { api } from '../../lib/api.ts';
import { codeOf } from '../../lib/faults.ts';
import { applyRefusal, ruled, shownError } from '../../lib/form.ts';
import { errorText, useText } from '../../lib/texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import { PasswordField } from '../../ui/password-field.tsx';

/** For password managers that make one (ux.md 21). */
const PASSWORD_RULES = `minlength: ${PASSWORD_MIN}; maxlength: ${PASSWORD_MAX}; required: lower; required: upper; required: digit; required: [@$!%*?&];`;

/** The first password, with the token of the mailed link, which is used up by it. */
export function SetPasswordForm(props: { token: string; email: string; onSet: () => void }) {
  const t = useText();
  const [attempt, setAttempt] = useState(0);
  const [refusal, setRefusal] = useState<string>();
  const form = useForm({
    shouldFocusError: false,
    defaultValues: { password: '', confirm: '' },
  });
  const { errors, isSubmitting } = form.formState;

  const save = form.handleSubmit(async ({ password }) => {
    setRefusal(undefined);
    try {
      await api.auth.setPassword({ body: { password }, bearer: props.token });
      props.onSet();
    } catch (error) {
      if (!applyRefusal(error, ['password'], form.setError)) setRefusal(codeOf(error));
    }
  });
  const submit = async () => {
    await save();
    setAttempt(count => count + 1);
  };
  const fieldErrors = (['password', 'confirm'] as const).flatMap(id => {
    const text = shownError(t, errors[id]);
    return text ? [{ id, text }] : [];
  });
  const shared = {
    autoComplete: 'new-password',
    showLabel: t('password.show'),
    hideLabel: t('password.hide'),
  };

  return (
    <Form onSubmit={submit} busy={isSubmitting}>
      <ErrorSummary
        title={t('order.errors.title')}
        errors={attempt > 0 ? fieldErrors : []}
        attempt={attempt}
      />
      {refusal && (
        <Alert type="error" live>
          {errorText(refusal)}
        </Alert>
      )}
      {/* Password managers store the password under this name. */}
      <input type="email" autoComplete="username" value={props.email} readOnly hidden />
      <PasswordField
        label={t('setPassword.password')}
        hint={t('password.hint')}
        error={shownError(t, errors.password)}
        passwordRules={PASSWORD_RULES}
        {...shared}
        {...form.register('password', { validate: ruled(passwordRule) })}
      />
      <PasswordField
        label={t('setPassword.confirm')}
        error={shownError(t, errors.confirm)}
        {...shared}
        {...form.register('confirm', {
          validate: (value, { password }) => confirmPasswordRule(password)(value) ?? true,
        })}
      />
      <FormActions>
        <Button type="submit" variant="primary" busy={isSubmitting}>
          {t('setPassword.submit')}
        </Button>
      </FormActions>
    </Form>
  );
}
