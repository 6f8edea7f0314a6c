import { deviceLabelRule } from '@fixpoint/contract/fields.ts';
import { Button } from '@fixpoint/ui/button.tsx';
import { Cluster } from '@fixpoint/ui/layout.tsx';
import { useFocusAfter } from '@fixpoint/ui/lib/focus-after.ts';
import { TextField } from '@fixpoint/ui/text-field.tsx';
import { validateWith } from '@fixpoint/web-client/forms/field-errors.ts';
import { useFormState } from '@fixpoint/web-client/forms/form-state.ts';
import { useState } from 'react';
import { profileQuery } from '../server/profile.ts';
import { queryClient } from '../server/query.ts';
import { useText } from '../shop/texts.ts';
import { FormInPlace } from './form-in-place.tsx';

type Props = {
  label: string;
  name: string | undefined;
  autoComplete?: 'name' | 'off';
  /** Stores the name; null removes it. */
  save: (name: string | null) => Promise<unknown>;
};

/** A name that is changed in place. The focus returns to the button. */
export function NameInPlace(props: Props) {
  const { name } = props;
  const t = useText();
  const [editing, setEditing] = useState(false);
  const opener = useFocusAfter();
  if (editing) return <NameForm {...props} onEnd={() => opener.after(() => setEditing(false))} />;
  return (
    <Cluster gap={3}>
      {name && <span translate="no">{name}</span>}
      <Button ref={opener.ref} size="s" onClick={() => setEditing(true)}>
        {t('account.name.change')}
      </Button>
    </Cluster>
  );
}

function NameForm({ label, name, autoComplete = 'off', save, onEnd }: Props & { onEnd: () => void }) {
  const t = useText();
  const state = useFormState({
    defaultValues: { name: name ?? '' },
    fields: ['name'],
    send: async values => {
      await save(values.name.trim() || null);
      await queryClient.invalidateQueries({ queryKey: profileQuery.queryKey });
      onEnd();
    },
  });
  return (
    <FormInPlace state={state} submit={t('subscription.rename.save')} onEnd={onEnd}>
      <TextField
        label={label}
        width="m"
        autoFocus
        maxLength={60}
        autoComplete={autoComplete}
        {...state.field('name', validateWith(deviceLabelRule))}
      />
    </FormInPlace>
  );
}
