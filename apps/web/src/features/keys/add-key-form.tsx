import { KEY_NAME_MAX, keyNameRule } from '@fixpoint/contract/fields.ts';
import { ruled } from '../../forms/form.ts';
import { FormFrame } from '../../forms/form-frame.tsx';
import { useFormState } from '../../forms/form-state.ts';
import { api } from '../../server/api.ts';
import { refreshSubscription } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';

/**
 * A key for one more device. What the server refuses stands beside the name, which stays as typed; that it is there
 * is told by the live connection's notification.
 */
export function AddKeyForm({ subscriptionId, isFirst }: { subscriptionId: string; isFirst: boolean }) {
  const t = useText();
  const { form, ...state } = useFormState({
    defaultValues: { name: '' },
    fields: ['name'],
    refusals: { 4000: ['name', 'errorCode.4000'], 4001: ['name', 'errorCode.4001'] },
    draft: { name: `key.${subscriptionId}`, kept: ['name'] },
    send: async ({ name }) => {
      await api.subscription.addKey({ body: { subscriptionId, name } });
      form.reset({ name: '' });
      await refreshSubscription(subscriptionId);
    },
  });
  return (
    <FormFrame state={state} single>
      <TextField
        label={t('keys.add.label')}
        hint={t('keys.add.hint')}
        mono
        width="m"
        beside={
          <Button type="submit" variant={isFirst ? 'primary' : 'secondary'} busy={state.busy}>
            {t('keys.add')}
          </Button>
        }
        maxLength={KEY_NAME_MAX}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...state.field('name', ruled(keyNameRule))}
      />
    </FormFrame>
  );
}
