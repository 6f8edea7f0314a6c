import { Page, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { useQuery } from '@tanstack/react-query';
import { PlaceStatusCard } from '../features/status/place-status.tsx';
import { loadStatus } from '../server/status.ts';
import { LoadError } from '../shop/load-error.tsx';
import { useText } from '../shop/texts.ts';

/** `/status`: whether the servers of each place answer, now and on each of the last 90 days. */
export function Screen() {
  const t = useText();
  const status = useQuery({ queryKey: ['status'], queryFn: loadStatus, refetchInterval: 60_000 });
  return (
    <Page>
      <Section level={1} title={t('status.title')} lead={t('status.lead')}>
        {status.isPending && <Skeleton lines={6} label={t('app.loading')} />}
        {status.isError && !status.data && <LoadError error={status.error} onRetry={status.refetch} />}
        {status.data && (
          <Stack gap={6}>
            {status.data.places.map(place => (
              <PlaceStatusCard key={`${place.region.id} ${place.provider} ${place.vendor}`} place={place} />
            ))}
            <p>{t('status.legend')}</p>
            <p>
              <a href="/status.json">{t('status.json')}</a>
            </p>
          </Stack>
        )}
      </Section>
    </Page>
  );
}
