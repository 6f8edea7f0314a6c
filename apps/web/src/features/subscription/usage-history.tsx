import { Bars } from '@fixpoint/ui/bars.tsx';
import { Section, Stack } from '@fixpoint/ui/layout.tsx';
import type { Bandwidth } from '../../shop/bandwidth.ts';
import { useFormat } from '../../shop/format.ts';
import { useText } from '../../shop/texts.ts';

const GB = 1_000_000_000;

type Used = { downBytes: number; upBytes: number };

/**
 * Usage by month and by day, newest first. `isShared`: others have devices in the subscription, so it says whose days these are.
 */
export function UsageHistory(props: { bandwidth: Bandwidth; isShared: boolean }) {
  const { months, days } = props.bandwidth;
  const t = useText();
  const { day, month, number } = useFormat();
  const gb = (bytes: number) => number(Math.round((bytes / GB) * 100) / 100);
  const row = (key: string, label: string, { downBytes, upBytes }: Used) => ({
    key,
    label,
    value: downBytes + upBytes,
    text: t('bandwidth.usage.value', {
      total: gb(downBytes + upBytes),
      down: gb(downBytes),
      up: gb(upBytes),
    }),
  });
  if (months.length === 0) return <p>{t('bandwidth.usage.none')}</p>;
  return (
    <Stack gap={8}>
      <Section level={3} title={t('bandwidth.usage.months')}>
        <Bars rows={months.map(one => row(one.month, month(one.month), one))} />
      </Section>
      {days.length > 0 && (
        <Section
          level={3}
          title={t('bandwidth.usage.days')}
          lead={props.isShared && t('bandwidth.usage.ownDays')}
        >
          <Bars rows={days.map(one => row(one.day, day(one.day), one))} />
        </Section>
      )}
    </Stack>
  );
}
