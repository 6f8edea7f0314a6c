import { KEY_NAME_MAX, keyNameRule } from '@fixpoint/contract/fields.ts';
import { useForm } from 'react-hook-form';
import { api } from '../../lib/api.ts';
import { codeOf } from '../../lib/faults.ts';
import { applyRefusal, ruled, shownError } from '../../lib/form.ts';
import { refreshSubscription } from '../../lib/subscriptions.ts';
import { useText } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import { TextField } from '../../ui/text-field.tsx';

/**
 * A key for one more device. What the server refuses stands beside the name, which stays as typed; that it is there
 * is told by the live connection's notification.
 */
export function AddKeyForm({ subscriptionId, isFirst }: { subscriptionId: string; isFirst: boolean }) {
  const t = useText();
  const form = useForm({ defaultValues: { name: '' } });
  const { errors, isSubmitting } = form.formState;

  const add = form.handleSubmit(async ({ name }) => {
    try {
      await api.subscription.addKey({ body: { subscriptionId, name } });
      form.reset();
      await refreshSubscription(subscriptionId);
    } catch (error) {
      const named = applyRefusal(error, ['name'], form.setError);
      if (!named) form.setError('name', { message: `errorCode.${codeOf(error)}` });
    }
  });
  return (
    <Form onSubmit={() => void add()} busy={isSubmitting}>
      <TextField
        label={t('keys.add.label')}
        hint={t('keys.add.hint')}
        error={shownError(t, errors.name)}
        mono
        width="m"
        maxLength={KEY_NAME_MAX}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...form.register('name', { validate: ruled(keyNameRule) })}
      />
      <FormActions>
        <Button type="submit" variant={isFirst ? 'primary' : 'secondary'} busy={isSubmitting}>
          {t('keys.add')}
        </Button>
      </FormActions>
    </Form>
  );
}
