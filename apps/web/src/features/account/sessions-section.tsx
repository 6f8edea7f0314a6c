import { Badge } from '@fixpoint/ui/badge.tsx';
import { Button } from '@fixpoint/ui/button.tsx';
import { Cluster, Section } from '@fixpoint/ui/layout.tsx';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { Table } from '@fixpoint/ui/table.tsx';
import { Problem } from '@fixpoint/web-client/problem.tsx';
import { useAction } from '@fixpoint/web-client/use-action.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../server/api.ts';
import { queryClient } from '../../server/query.ts';
import { useFormat } from '../../shop/format.ts';
import { LoadError } from '../../shop/load-error.tsx';
import { snacks } from '../../shop/snack.ts';
import { type Translate, useText } from '../../shop/texts.ts';
import { type LoggedInSession, noonOf } from './profile.ts';

const QUERY = ['sessions'];

/** The customer's sessions; ends one or all others (S24). */
export function SessionsSection() {
  const t = useText();
  const { date, dateTime } = useFormat();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: QUERY,
    queryFn: () => api.account.sessions({}),
  });
  const [ending, setEnding] = useState<string>();
  const ended = () => {
    snacks.show({ type: 'success', text: t('account.sessions.ended') });
    return queryClient.invalidateQueries({ queryKey: QUERY });
  };
  const endOne = useAction(async (id: string) => {
    setEnding(id);
    await api.account.endSession({ body: { id } });
    await ended();
  });
  const endOthers = useAction(async () => {
    await api.account.endOtherSessions({ body: {} });
    await ended();
  });
  const sessions = data?.sessions ?? [];
  return (
    <Section
      id="sessions"
      title={t('account.sessions.title')}
      lead={t('account.sessions.lead')}
      actions={
        sessions.length > 1 && (
          <Button size="s" busy={endOthers.busy} onClick={() => endOthers.run()}>
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
                  <span>{sessionName(t, row)}</span>
                  {row.current && <Badge>{t('account.sessions.this')}</Badge>}
                </Cluster>
              ),
            },
            { key: 'since', header: t('account.sessions.since'), cell: row => dateTime(row.createdAt) },
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
                    aria-label={t('account.sessions.end.label', { device: sessionName(t, row) })}
                    busy={endOne.busy && ending === row.id}
                    onClick={() => endOne.run(row.id)}
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

function sessionName(t: Translate, { device: { browser, system } }: LoggedInSession): string {
  if (browser && system) return t('account.sessions.name', { browser, system });
  return browser ?? system ?? t('account.sessions.unknown');
}
