import { Section } from '@fixpoint/ui/layout.tsx';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { UsageHistory } from '../../features/subscription/usage-history.tsx';
import { useBandwidth } from '../../shop/bandwidth.ts';
import { LoadError } from '../../shop/load-error.tsx';
import { useText } from '../../shop/texts.ts';

/** What a member's own devices used, by month and by day. */
export function MemberUsage({ id }: { id: string }) {
  const t = useText();
  const { data, error, isPending, refetch } = useBandwidth(id);
  return (
    <Section title={t('bandwidth.usage.title')} lead={t('bandwidth.usage.lead')}>
      {error && <LoadError error={error} onRetry={refetch} />}
      {isPending && <Skeleton lines={6} label={t('app.loading')} />}
      {data && <UsageHistory bandwidth={data} isShared />}
    </Section>
  );
}
