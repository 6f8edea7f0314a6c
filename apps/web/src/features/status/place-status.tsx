import { DayStrip } from '@fixpoint/ui/day-strip.tsx';
import { Card, Cluster, Stack } from '@fixpoint/ui/layout.tsx';
import { StatusLabel, type StatusTone } from '@fixpoint/ui/status.tsx';
import { SummaryList } from '@fixpoint/ui/summary-list.tsx';
import { useFormat } from '../../shop/format.ts';
import { regionName } from '../../shop/region.ts';
import { useText } from '../../shop/texts.ts';
import { lastDays, marksOf, type PlaceStatus, undisturbedShare } from './status-days.ts';

const tones: Record<PlaceStatus['state'], StatusTone> = {
  up: 'good',
  disturbed: 'warn',
  down: 'bad',
  unknown: 'idle',
};

/** One place: its state now, a mark for each of the last days, and the disturbed days in words. */
export function PlaceStatusCard({ place }: { place: PlaceStatus }) {
  const t = useText();
  const { percent, day, number } = useFormat();
  const now = new Date();
  const states: Record<PlaceStatus['state'], string> = {
    up: t('status.up'),
    disturbed: t('status.disturbed'),
    down: t('status.down'),
    unknown: t('status.unknown'),
  };
  const share = undisturbedShare(place);
  const disturbed = place.days.filter(({ disturbedMinutes }) => disturbedMinutes > 0).reverse();
  return (
    <Card as="section">
      <Stack gap={3}>
        <Cluster justify="between">
          <h2>{regionName(place.region)}</h2>
          <StatusLabel tone={tones[place.state]}>{states[place.state]}</StatusLabel>
        </Cluster>
        <small translate="no">{[place.provider, place.vendor].join(' · ')}</small>
        <DayStrip days={marksOf(place, now)} />
        <Cluster justify="between">
          <small>{day(lastDays(now)[0]!)}</small>
          <small>
            {share === undefined ? t('status.never') : t('status.share', { percent: percent(share) })}
          </small>
        </Cluster>
        {disturbed.length > 0 && (
          <SummaryList
            compact
            rows={disturbed.map(each => ({
              term: day(each.day),
              value: t('status.minutes', { minutes: number(each.disturbedMinutes) }),
            }))}
          />
        )}
      </Stack>
    </Card>
  );
}
