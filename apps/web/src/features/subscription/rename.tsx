import { deviceLabelRule } from '@fixpoint/contract/fields.ts';
import { Button } from '@fixpoint/ui/button.tsx';
import { useFocusAfter } from '@fixpoint/ui/lib/focus-after.ts';
import { TextField } from '@fixpoint/ui/text-field.tsx';
import { validateWith } from '@fixpoint/web-client/forms/field-errors.ts';
import { useFormState } from '@fixpoint/web-client/forms/form-state.ts';
import { useState } from 'react';
import { FormInPlace } from '../../forms/form-in-place.tsx';
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
    <FormInPlace state={state} submit={t('subscription.rename.save')} onEnd={onEnd}>
      <TextField
        label={t('subscription.rename.label')}
        hint={t('subscription.rename.hint')}
        width="m"
        autoFocus
        maxLength={60}
        autoComplete="off"
        {...state.field('label', validateWith(deviceLabelRule))}
      />
    </FormInPlace>
  );
}
