import { Badge } from '@fixpoint/ui/badge.tsx';
import { Button } from '@fixpoint/ui/button.tsx';
import { ConfirmDialog } from '@fixpoint/ui/dialog.tsx';
import { Cluster, Stack } from '@fixpoint/ui/layout.tsx';
import { Table } from '@fixpoint/ui/table.tsx';
import { Problem } from '@fixpoint/web-client/problem.tsx';
import { useAction } from '@fixpoint/web-client/use-action.ts';
import { useState } from 'react';
import { api } from '../../server/api.ts';
import { useFormat } from '../../shop/format.ts';
import { useText } from '../../shop/texts.ts';
import { type Invitation, type People, type Person, refreshPeople } from './people.ts';
import { RoleDialog } from './role-dialog.tsx';
import { WhatEnds } from './what-ends.tsx';

type Row = { key: string; email: string; role: Person['role']; person?: Person; invitation?: Invitation };

/** Everybody who works in the account, then the open invitations. */
export function PeopleTable({ people, invitations }: People) {
  const t = useText();
  const { date } = useFormat();
  const [changing, setChanging] = useState<Person>();
  const [removing, setRemoving] = useState<Person>();
  const remove = useAction(async ({ userId, email }: Person) => {
    await api.team.remove({ body: { userId } });
    setRemoving(undefined);
    await refreshPeople(t('team.removed', { email }));
  });
  const resend = useAction(async ({ id, email }: Invitation) => {
    await api.team.resendInvitation({ body: { id } });
    await refreshPeople(t('team.invited', { email }));
  });
  const withdraw = useAction(async ({ id }: Invitation) => {
    await api.team.withdrawInvitation({ body: { id } });
    await refreshPeople(t('team.withdrawn'));
  });
  const rows: Row[] = [
    ...people.map(person => ({ key: person.userId, email: person.email, role: person.role, person })),
    ...invitations.map(invitation => ({
      key: invitation.id,
      email: invitation.email,
      role: invitation.role,
      invitation,
    })),
  ];
  return (
    <Stack gap={3}>
      <Problem error={remove.error ?? resend.error ?? withdraw.error} />
      <Table
        caption={t('team.title')}
        hideCaption
        rowKey={row => row.key}
        rows={rows}
        columns={[
          {
            key: 'person',
            phone: 'headline',
            header: t('team.person'),
            cell: ({ email, person }) => (
              <Cluster gap={2}>
                <span translate="no">{person?.name ? `${person.name} (${email})` : email}</span>
                {person?.isYou && <Badge>{t('team.you')}</Badge>}
              </Cluster>
            ),
          },
          { key: 'role', header: t('team.role'), cell: ({ role }) => t(`team.role.${role}`) },
          {
            key: 'since',
            header: t('team.since'),
            cell: ({ person, invitation }) =>
              person ? date(person.since) : t('team.until', { date: date(invitation!.expiresAt) }),
          },
          {
            key: 'actions',
            phone: 'unnamed',
            align: 'end',
            header: t('keys.actions'),
            cell: ({ email, person, invitation }) => (
              <Cluster gap={2}>
                {person && !person.isYou && (
                  <>
                    <Button
                      size="s"
                      aria-label={t('team.change.label', { email })}
                      onClick={() => setChanging(person)}
                    >
                      {t('team.change')}
                    </Button>
                    <Button
                      size="s"
                      aria-label={t('team.remove.label', { email })}
                      onClick={() => setRemoving(person)}
                    >
                      {t('team.remove')}
                    </Button>
                  </>
                )}
                {invitation && (
                  <>
                    <Button
                      size="s"
                      busy={resend.busy}
                      aria-label={t('team.resend.label', { email })}
                      onClick={() => resend.run(invitation)}
                    >
                      {t('team.resend')}
                    </Button>
                    <Button
                      size="s"
                      busy={withdraw.busy}
                      aria-label={t('team.withdraw.label', { email })}
                      onClick={() => withdraw.run(invitation)}
                    >
                      {t('team.withdraw')}
                    </Button>
                  </>
                )}
              </Cluster>
            ),
          },
        ]}
      />
      <RoleDialog person={changing} onClose={() => setChanging(undefined)} />
      <ConfirmDialog
        open={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={t('team.remove.label', { email: removing?.email ?? '' })}
        closeLabel={t('app.close')}
        confirmLabel={t('team.remove')}
        cancelLabel={t('app.cancel')}
        danger
        busy={remove.busy}
        onConfirm={() => removing && remove.run(removing)}
      >
        <Stack gap={3}>
          <p>{t('team.remove.text', { email: removing?.email ?? '' })}</p>
          {removing && <WhatEnds role={removing.role} devices={removing.devices} />}
        </Stack>
      </ConfirmDialog>
    </Stack>
  );
}
