import { Button } from '@fixpoint/ui/button.tsx';
import { Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { Table } from '@fixpoint/ui/table.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../server/api.ts';
import { useFormat } from '../../shop/format.ts';
import { LoadError } from '../../shop/load-error.tsx';
import { useText } from '../../shop/texts.ts';

/** What the users of an account did for it, for its owners; loaded when it is opened. */
export function DoneActions() {
  const t = useText();
  const [open, setOpen] = useState(false);
  if (!open)
    return (
      <p>
        <Button size="s" onClick={() => setOpen(true)}>
          {t('team.did.title')}
        </Button>
      </p>
    );
  return (
    <Section level={3} title={t('team.did.title')} lead={t('team.did.lead')}>
      <Actions />
    </Section>
  );
}

function Actions() {
  const t = useText();
  const { dateTime } = useFormat();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['actions'],
    queryFn: () => api.team.actions({}),
    staleTime: 0,
  });
  if (error) return <LoadError error={error} onRetry={refetch} />;
  if (isPending) return <Skeleton lines={3} label={t('app.loading')} />;
  if (data.actions.length === 0) return <p>{t('team.did.none')}</p>;
  return (
    <Table
      caption={t('team.did.title')}
      hideCaption
      rowKey={row => `${row.at} ${row.action} ${row.about}`}
      rows={data.actions}
      columns={[
        {
          key: 'what',
          phone: 'headline',
          header: t('team.did.title'),
          cell: ({ action, about }) => (
            <Stack gap={1}>
              <span>{t(`team.did.${action}`)}</span>
              {about && (
                <span className="muted" translate="no">
                  {about}
                </span>
              )}
            </Stack>
          ),
        },
        { key: 'by', header: t('team.person'), cell: ({ by }) => <span translate="no">{by}</span> },
        { key: 'at', header: t('billing.date'), cell: ({ at }) => dateTime(at) },
      ]}
    />
  );
}
