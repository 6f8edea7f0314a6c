import { keyNameOf, keyNameRule } from '@fixpoint/contract/fields.ts';
import { Dialog } from '@fixpoint/ui/dialog.tsx';
import { TextField } from '@fixpoint/ui/text-field.tsx';
import { validateWith } from '@fixpoint/web-client/forms/field-errors.ts';
import { FormFrame } from '@fixpoint/web-client/forms/form-frame.tsx';
import { useFormState } from '@fixpoint/web-client/forms/form-state.ts';
import { SendOrCancel } from '../../forms/send-or-cancel.tsx';
import { api } from '../../server/api.ts';
import { snacks } from '../../shop/snack.ts';
import { refreshSubscription, type SubscriptionDetail } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

/** Adds a device for somebody else, who gets its file by a link in an email. */
export function AddForDialog(props: {
  subscription: SubscriptionDetail;
  person: { userId: string; email: string };
  onClose: () => void;
}) {
  const t = useText();
  const { subscription, person, onClose } = props;
  const { userId, email } = person;
  const { id: subscriptionId, keys } = subscription;
  const state = useFormState({
    defaultValues: {
      keyName: keyNameOf(
        email.split('@')[0]!,
        'device',
        keys.map(({ name }) => name),
      ),
    },
    fields: ['keyName'],
    refusals: { 4000: ['keyName', 'errorCode.4000'], 4001: ['keyName', 'errorCode.4001'] },
    send: async ({ keyName: name }) => {
      await api.subscription.addKeyFor({ body: { subscriptionId, userId, name } });
      onClose();
      snacks.show({ type: 'success', text: t('team.devices.sent', { email }) });
      await refreshSubscription(subscriptionId);
    },
  });
  return (
    <Dialog open onClose={onClose} title={t('team.devices.addFor', { email })} closeLabel={t('app.close')}>
      <FormFrame
        state={state}
        single
        actions={<SendOrCancel busy={state.busy} submit={t('devices.add')} onCancel={onClose} />}
      >
        <TextField
          label={t('devices.label')}
          hint={t('devices.label.hint')}
          mono
          autoFocus
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...state.field('keyName', validateWith(keyNameRule))}
        />
      </FormFrame>
    </Dialog>
  );
}
