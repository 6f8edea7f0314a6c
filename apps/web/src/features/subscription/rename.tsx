import { deviceLabelRule } from '@fixpoint/contract/fields.ts';
import { Button } from '@fixpoint/ui/button.tsx';
import { Cluster } from '@fixpoint/ui/layout.tsx';
import { useFocusAfter } from '@fixpoint/ui/lib/focus-after.ts';
import { TextField } from '@fixpoint/ui/text-field.tsx';
import { validateWith } from '@fixpoint/web-client/forms/field-errors.ts';
import { FormFrame } from '@fixpoint/web-client/forms/form-frame.tsx';
import { useFormState } from '@fixpoint/web-client/forms/form-state.ts';
import { useState } from 'react';
import { api } from '../../server/api.ts';
import { refreshSubscription, type SubscriptionDetail } from '../../shop/subscriptions.ts';
import { useText } from '../../shop/texts.ts';

/** Names a subscription in place. The focus returns to the button. */
export function Rename({ subscription }: { subscription: SubscriptionDetail }) {
  const t = useText();
  const [editing, setEditing] = useState(false);
  const opener = useFocusAfter();
  if (editing) {
    return <LabelForm subscription={subscription} onEnd={() => opener.after(() => setEditing(false))} />;
  }
  return (
    <p>
      <Button ref={opener.ref} size="s" onClick={() => setEditing(true)}>
        {t('subscription.rename')}
      </Button>
    </p>
  );
}

function LabelForm({ subscription, onEnd }: { subscription: SubscriptionDetail; onEnd: () => void }) {
  const t = useText();
  const { id, label } = subscription;
  const state = useFormState({
    defaultValues: { label: label ?? '' },
    fields: ['label'],
    send: async values => {
      await api.subscription.renameSubscription({ body: { id, label: values.label.trim() || null } });
      await refreshSubscription(id);
      onEnd();
    },
  });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape leaves the field inside, as in a dialog
    <div onKeyDown={event => event.key === 'Escape' && onEnd()}>
      <FormFrame
        state={state}
        single
        actions={
          <Cluster>
            <Button type="submit" variant="primary" busy={state.busy}>
              {t('subscription.rename.save')}
            </Button>
            <Button onClick={onEnd}>{t('app.cancel')}</Button>
          </Cluster>
        }
      >
        <TextField
          label={t('subscription.rename.label')}
          hint={t('subscription.rename.hint')}
          width="m"
          autoFocus
          maxLength={60}
          autoComplete="off"
          {...state.field('label', validateWith(deviceLabelRule))}
        />
      </FormFrame>
    </div>
  );
}
