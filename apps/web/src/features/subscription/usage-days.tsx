import { Spark } from '@fixpoint/ui/spark.tsx';
import { useBandwidth } from '../../shop/bandwidth.ts';
import { everyDay } from '../../shop/every-day.ts';
import { useHref } from '../../shop/links.ts';
import { useText } from '../../shop/texts.ts';

/** What went over the line by day, as a small picture that leads to the numbers; nothing before there are two days. */
export function UsageDays({ id }: { id: string }) {
  const t = useText();
  const href = useHref();
  const { data } = useBandwidth(id);
  const values = everyDay(data?.days ?? []);
  if (values.length < 2) return null;
  return (
    <a href={href(`/management/subscription/${id}/bandwidth-control`)}>
      <Spark label={`${t('bandwidth.usage.title')}, ${t('bandwidth.usage.days')}`} values={values} />
    </a>
  );
}
