import { Button } from '@fixpoint/ui/button.tsx';
import { Cluster, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { SummaryList } from '@fixpoint/ui/summary-list.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { NameInPlace } from '../../forms/name-in-place.tsx';
import { api } from '../../server/api.ts';
import { LoadError } from '../../shop/load-error.tsx';
import { useText } from '../../shop/texts.ts';
import { DoneActions } from './done-actions.tsx';
import { HandOver } from './hand-over.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { Leave } from './leave.tsx';
import { type Profile, peopleQuery } from './people.ts';
import { PeopleTable } from './people-table.tsx';

/**
 * Who works in the account that the session is for. An owner changes it; for one who is alone it
 * only offers to invite somebody.
 */
export function TeamSection({ profile }: { profile: Profile }) {
  return profile.role === 'owner' ? <OwnersTeam profile={profile} /> : <OwnPlace profile={profile} />;
}

const hereOf = ({ customers, customerId }: Profile) => customers.find(({ id }) => id === customerId);

function OwnersTeam({ profile }: { profile: Profile }) {
  const t = useText();
  const { data, error, isPending, refetch } = useQuery(peopleQuery);
  const [isInviting, setInviting] = useState(false);
  const here = hereOf(profile);
  const isAlone = !data || data.people.length + data.invitations.length < 2;
  const others = data?.people.filter(({ isYou }) => !isYou) ?? [];
  const mayLeave = others.some(({ role }) => role === 'owner');
  return (
    <Section
      id="team"
      title={t(isAlone ? 'team.alone.title' : 'team.title')}
      lead={isAlone && t('team.alone.lead')}
    >
      <Stack gap={4}>
        {error && <LoadError error={error} onRetry={refetch} />}
        {isPending && <Skeleton lines={3} label={t('app.loading')} />}
        {!isAlone && (
          <>
            <SummaryList
              rows={[
                {
                  term: t('team.accountName'),
                  value: (
                    <NameInPlace
                      label={t('team.accountName')}
                      name={here?.name}
                      save={name => api.account.setAccountName({ body: { name } })}
                    />
                  ),
                },
              ]}
            />
            <PeopleTable {...data} />
            <DoneActions />
          </>
        )}
        {data && (
          <Cluster>
            <Button onClick={() => setInviting(true)}>{t('team.invite')}</Button>
            {others.length > 0 && <HandOver others={others} />}
            {mayLeave && <Leave profile={profile} />}
          </Cluster>
        )}
      </Stack>
      <InviteDialog open={isInviting} onClose={() => setInviting(false)} />
    </Section>
  );
}

/** What a buyer or member sees: where they work, and the way out. */
function OwnPlace({ profile }: { profile: Profile }) {
  const t = useText();
  const here = hereOf(profile);
  if (!here) return null;
  return (
    <Section id="team" title={t('team.title')}>
      <Stack gap={4}>
        <p>{t('team.mine', { name: here.name, role: t(`team.role.${here.role}`) })}</p>
        <p>
          <Leave profile={profile} />
        </p>
      </Stack>
    </Section>
  );
}
