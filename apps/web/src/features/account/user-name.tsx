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
import { profileQuery } from '../../server/profile.ts';
import { queryClient } from '../../server/query.ts';
import { useText } from '../../shop/texts.ts';

/** The user's name, changed in place. The focus returns to the button. */
export function UserName({ name }: { name: string | undefined }) {
  const t = useText();
  const [editing, setEditing] = useState(false);
  const opener = useFocusAfter();
  if (editing) return <NameForm name={name} onEnd={() => opener.after(() => setEditing(false))} />;
  return (
    <Cluster gap={3}>
      {name && <span>{name}</span>}
      <Button ref={opener.ref} size="s" onClick={() => setEditing(true)}>
        {t('account.name.change')}
      </Button>
    </Cluster>
  );
}

function NameForm({ name, onEnd }: { name: string | undefined; onEnd: () => void }) {
  const t = useText();
  const state = useFormState({
    defaultValues: { name: name ?? '' },
    fields: ['name'],
    send: async values => {
      await api.account.setName({ body: { name: values.name.trim() || null } });
      await queryClient.invalidateQueries({ queryKey: profileQuery.queryKey });
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
          label={t('account.name')}
          width="m"
          autoFocus
          maxLength={60}
          autoComplete="name"
          {...state.field('name', validateWith(deviceLabelRule))}
        />
      </FormFrame>
    </div>
  );
}
