import { Spark } from '@fixpoint/ui/spark.tsx';
import { useBandwidth } from '../../shop/bandwidth.ts';
import { dailyUsage } from '../../shop/daily-usage.ts';
import { useHref } from '../../shop/links.ts';
import { useText } from '../../shop/texts.ts';

/**
 * Daily usage as a sparkline that links to the numbers. Renders nothing for fewer than two days.
 */
export function UsageDays({ id }: { id: string }) {
  const t = useText();
  const href = useHref();
  const { data } = useBandwidth(id);
  const values = dailyUsage(data?.days ?? []);
  if (values.length < 2) return null;
  return (
    <a href={href(`/management/subscription/${id}/bandwidth-control`)}>
      <Spark label={`${t('bandwidth.usage.title')}, ${t('bandwidth.usage.days')}`} values={values} />
    </a>
  );
}
