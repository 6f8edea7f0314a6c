import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { useFormat } from '../../lib/format.ts';
import { LoadError } from '../../lib/load-error.tsx';
import { Problem } from '../../lib/problem.tsx';
import { queryClient } from '../../lib/query.ts';
import { snacks } from '../../lib/snack.ts';
import { type Translate, useText } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Cluster, Section } from '../../ui/layout.tsx';
import { Skeleton } from '../../ui/progress.tsx';
import { Badge } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { type LoggedInSession, noonOf } from './profile.ts';

const QUERY = ['sessions'];

/** Where the customer is logged in; end one or all others (S24, U41). */
export function SessionsSection() {
  const t = useText();
  const { date } = useFormat();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: QUERY,
    queryFn: () => api.account.sessions({}),
  });
  const ended = () => {
    snacks.show({ type: 'success', text: t('account.sessions.ended') });
    return queryClient.invalidateQueries({ queryKey: QUERY });
  };
  const endOne = useMutation({
    mutationFn: (id: string) => api.account.endSession({ body: { id } }),
    onSuccess: ended,
  });
  const endOthers = useMutation({
    mutationFn: () => api.account.endOtherSessions({ body: {} }),
    onSuccess: ended,
  });
  const sessions = data?.sessions ?? [];
  return (
    <Section
      id="sessions"
      title={t('account.sessions.title')}
      lead={t('account.sessions.lead')}
      actions={
        sessions.length > 1 && (
          <Button size="s" busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
            {t('account.sessions.endOthers')}
          </Button>
        )
      }
    >
      <Problem error={endOne.error ?? endOthers.error} />
      {error && <LoadError error={error} onRetry={refetch} />}
      {isPending && <Skeleton lines={3} label={t('app.loading')} />}
      {data && (
        <Table
          caption={t('account.sessions.title')}
          hideCaption
          rowKey={row => row.id}
          rows={sessions}
          columns={[
            {
              key: 'device',
              phone: 'headline',
              header: t('account.sessions.device'),
              cell: row => (
                <Cluster gap={2}>
                  {deviceName(t, row)}
                  {row.current && <Badge>{t('account.sessions.this')}</Badge>}
                </Cluster>
              ),
            },
            { key: 'since', header: t('account.sessions.since'), cell: row => date(row.createdAt) },
            {
              key: 'used',
              header: t('account.sessions.lastUsed'),
              cell: row => date(noonOf(row.lastUsedOn)),
            },
            {
              key: 'actions',
              phone: 'unnamed',
              align: 'end',
              header: t('keys.actions'),
              cell: row =>
                !row.current && (
                  <Button
                    size="s"
                    aria-label={t('account.sessions.end.label', { device: deviceName(t, row) })}
                    busy={endOne.isPending && endOne.variables === row.id}
                    onClick={() => endOne.mutate(row.id)}
                  >
                    {t('account.sessions.end')}
                  </Button>
                ),
            },
          ]}
        />
      )}
    </Section>
  );
}

function deviceName(t: Translate, { device: { browser, system } }: LoggedInSession): string {
  if (browser && system) return t('account.sessions.name', { browser, system });
  return browser ?? system ?? t('account.sessions.unknown');
}
