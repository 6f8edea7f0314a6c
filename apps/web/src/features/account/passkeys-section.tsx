import { Button } from '@fixpoint/ui/button.tsx';
import { Section, Stack } from '@fixpoint/ui/layout.tsx';
import { useFocusAfter } from '@fixpoint/ui/lib/focus-after.ts';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { Table } from '@fixpoint/ui/table.tsx';
import { TextField } from '@fixpoint/ui/text-field.tsx';
import { IconPasskey } from '@fixpoint/ui/topic-icons.tsx';
import { Cancelled } from '@fixpoint/web-client/faults.ts';
import { readDraft } from '@fixpoint/web-client/forms/draft.ts';
import { FormFrame } from '@fixpoint/web-client/forms/form-frame.tsx';
import { useFormState } from '@fixpoint/web-client/forms/form-state.ts';
import { useAction } from '@fixpoint/web-client/use-action.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../server/api.ts';
import { canUsePasskeys, createPasskey } from '../../server/passkey.ts';
import { queryClient } from '../../server/query.ts';
import { ConfirmButton } from '../../shop/confirm-button.tsx';
import { useFormat } from '../../shop/format.ts';
import { LoadError } from '../../shop/load-error.tsx';
import { snacks } from '../../shop/snack.ts';
import { useText } from '../../shop/texts.ts';
import { noonOf, type Passkey } from './profile.ts';

const NAME_MAX = 60;
const DRAFT = 'passkey';
const refresh = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: ['passkeys'] }),
    queryClient.invalidateQueries({ queryKey: ['profile'] }),
  ]);

/** Passkeys: add one with a name, remove one (S15). */
export function PasskeysSection() {
  const t = useText();
  const { date } = useFormat();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['passkeys'],
    queryFn: () => api.account.passkeys({}),
  });
  return (
    <Section id="passkeys" title={t('account.passkeys.title')} lead={t('account.passkeys.lead')}>
      <Stack gap={6}>
        {error && <LoadError error={error} onRetry={refetch} />}
        {isPending && <Skeleton lines={2} label={t('app.loading')} />}
        {data && data.passkeys.length > 0 && (
          <Table
            caption={t('account.passkeys.title')}
            hideCaption
            rowKey={row => row.id}
            rows={data.passkeys}
            columns={[
              { key: 'name', phone: 'headline', header: t('account.passkeys.name'), cell: row => row.name },
              { key: 'added', header: t('account.passkeys.added'), cell: row => date(row.createdAt) },
              {
                key: 'used',
                header: t('account.sessions.lastUsed'),
                cell: row => (row.lastUsedOn ? date(noonOf(row.lastUsedOn)) : t('account.passkeys.unused')),
              },
              {
                key: 'actions',
                phone: 'unnamed',
                align: 'end',
                header: t('keys.actions'),
                cell: row => <RemovePasskey passkey={row} />,
              },
            ]}
          />
        )}
        {canUsePasskeys() ? <AddPasskey /> : <p className="muted">{t('account.passkeys.unsupported')}</p>}
      </Stack>
    </Section>
  );
}

/** A button that opens the form. A draft from before the session ended opens it at once. */
function AddPasskey() {
  const t = useText();
  const [open, setOpen] = useState(() => 'name' in readDraft(DRAFT));
  const opener = useFocusAfter();
  if (open) {
    return <AddPasskeyForm onEnd={() => opener.after(() => setOpen(false))} />;
  }
  return (
    <p>
      <Button ref={opener.ref} icon={<IconPasskey />} onClick={() => setOpen(true)}>
        {t('account.passkeys.add')}
      </Button>
    </p>
  );
}

function AddPasskeyForm({ onEnd }: { onEnd: () => void }) {
  const t = useText();
  const state = useFormState({
    defaultValues: { name: '' },
    fields: ['name'],
    draft: { name: DRAFT, fields: ['name'] },
    send: async ({ name }) => {
      const options = await api.account.addPasskeyOptions({ body: {} });
      try {
        await api.account.addPasskey({ body: { ...(await createPasskey(options)), name: name.trim() } });
      } catch (error) {
        if (error instanceof Cancelled) snacks.show({ type: 'info', text: t('account.passkeys.failed') });
        throw error;
      }
      snacks.show({ type: 'success', text: t('account.passkeys.done', { name: name.trim() }) });
      await refresh();
      onEnd();
    },
  });
  return (
    <FormFrame
      state={state}
      single
      actions={
        <>
          <Button type="submit" variant="primary" icon={<IconPasskey />} busy={state.busy}>
            {t('account.passkeys.add')}
          </Button>
          <Button variant="quiet" onClick={onEnd}>
            {t('app.cancel')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('account.passkeys.name')}
        hint={t('account.passkeys.name.hint')}
        width="m"
        autoFocus
        maxLength={NAME_MAX}
        autoComplete="off"
        {...state.field('name', value => value.trim() !== '' || 'form.passkeyName.required')}
      />
    </FormFrame>
  );
}

function RemovePasskey({ passkey: { id, name } }: { passkey: Passkey }) {
  const t = useText();
  const remove = useAction(async () => {
    await api.account.removePasskey({ body: { id } });
    await refresh();
  });
  return (
    <ConfirmButton
      size="s"
      label={t('account.remove')}
      fullLabel={t('account.remove.label', { name })}
      busy={remove.busy}
      title={t('account.passkeys.remove.title', { name })}
      onConfirm={() => remove.run()}
    >
      {t('account.passkeys.remove.text')}
    </ConfirmButton>
  );
}
