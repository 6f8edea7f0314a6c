import { emailRule, normalEmail } from '@fixpoint/contract/fields.ts';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { api, session } from '../../lib/api.ts';
import { codeOf, Refusal } from '../../lib/faults.ts';
import { ruled, shownError } from '../../lib/form.ts';
import { errorText, useText } from '../../lib/texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { TextField } from '../../ui/text-field.tsx';

/** Log in with e-mail and password. `onLoggedIn` decides where to go; the session has begun by then. */
export function LoginForm({ email, onLoggedIn }: { email: string; onLoggedIn: () => void }) {
  const t = useText();
  const [attempt, setAttempt] = useState(0);
  const [refusal, setRefusal] = useState<string>();
  const form = useForm({
    shouldFocusError: false,
    defaultValues: { email, password: '' },
  });
  const { errors, isSubmitting } = form.formState;

  const logIn = form.handleSubmit(async values => {
    setRefusal(undefined);
    try {
      const { data } = await api.auth.login({
        // The refresh token stays in a cookie that no script can read; local storage gets an empty one (S18).
        body: { email: normalEmail(values.email), password: values.password, refreshIn: 'cookie' },
      });
      session.begin(data);
      onLoggedIn();
    } catch (error) {
      setRefusal(error instanceof Refusal && error.code === '7004' ? '8005' : codeOf(error));
    }
  });
  const submit = async () => {
    await logIn();
    setAttempt(count => count + 1);
  };
  const shown = (['email', 'password'] as const).flatMap(id => {
    const text = shownError(t, errors[id]);
    return text ? [{ id, text }] : [];
  });

  return (
    <Form onSubmit={submit} busy={isSubmitting}>
      <ErrorSummary title={t('order.errors.title')} errors={shown} attempt={attempt} />
      {refusal && (
        <Alert type="error" title={t('login.failed')} live>
          {errorText(refusal)}
        </Alert>
      )}
      <TextField
        type="email"
        label={t('login.email')}
        error={shownError(t, errors.email)}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...form.register('email', { validate: ruled(emailRule) })}
      />
      <PasswordField
        label={t('login.password')}
        error={shownError(t, errors.password)}
        autoComplete="current-password"
        showLabel={t('password.show')}
        hideLabel={t('password.hide')}
        {...form.register('password', { validate: value => value !== '' || 'form.password.required' })}
      />
      <FormActions>
        <Button type="submit" variant="primary" busy={isSubmitting}>
          {t('login.submit')}
        </Button>
      </FormActions>
    </Form>
  );
}
