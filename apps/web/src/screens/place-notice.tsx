import { Alert } from '@fixpoint/ui/alert.tsx';
import { Button } from '@fixpoint/ui/button.tsx';
import { Cluster, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { codeOf } from '@fixpoint/web-client/faults.ts';
import { Problem } from '@fixpoint/web-client/problem.tsx';
import { useAction } from '@fixpoint/web-client/use-action.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../server/api.ts';
import { useLinkToken } from '../shop/links.ts';
import { LoadError } from '../shop/load-error.tsx';
import { regionName } from '../shop/region.ts';
import { useText } from '../shop/texts.ts';

/**
 * `/place-notice?token=`: target of the email that asks to confirm a notice about a sold-out region.
 * The click confirms, not the opening: mail programs open links for previews.
 */
export function Screen() {
  const t = useText();
  const { token } = useLinkToken();
  const body = { token };
  const queries = useQueryClient();
  const queryKey = ['placeNotice', token];
  const notice = useQuery({
    queryKey,
    queryFn: () => api.guest.placeNotice({ body }),
    enabled: token !== '',
    staleTime: 0,
    gcTime: 0,
  });
  const [deleted, setDeleted] = useState(false);
  const confirm = useAction(async () =>
    queries.setQueryData(queryKey, await api.guest.confirmPlaceNotice({ body })),
  );
  const erase = useAction(async () => {
    await api.guest.deletePlaceNotice({ body });
    setDeleted(true);
  });
  const isOver =
    token === '' || [notice.error, confirm.error, erase.error].some(error => codeOf(error) === '8003');
  const place = notice.data && regionName(notice.data.region);
  const confirmed = notice.data?.confirmed === true;
  const problem = confirm.error ?? erase.error;
  return (
    <Section level={1} title={t('placeNotice.title')}>
      {deleted && (
        <Alert type="success" live>
          {t('placeNotice.deleted')}
        </Alert>
      )}
      {!deleted && isOver && <Alert type="info">{t('placeNotice.over')}</Alert>}
      {!deleted && !isOver && notice.error && <LoadError error={notice.error} onRetry={notice.refetch} />}
      {!deleted && !isOver && notice.isPending && <Skeleton lines={3} label={t('app.loading')} />}
      {!deleted && !isOver && place && (
        <Stack gap={6}>
          {confirmed ? (
            <Alert type="success" live>
              {t('placeNotice.confirmed', { place })}
            </Alert>
          ) : (
            <p>{t('placeNotice.ask', { place })}</p>
          )}
          {problem !== undefined && <Problem error={problem} />}
          <Cluster>
            {!confirmed && (
              <Button variant="primary" busy={confirm.busy} onClick={() => confirm.run()}>
                {t('placeNotice.confirm')}
              </Button>
            )}
            <Button busy={erase.busy} onClick={() => erase.run()}>
              {t('placeNotice.delete')}
            </Button>
          </Cluster>
        </Stack>
      )}
    </Section>
  );
}
