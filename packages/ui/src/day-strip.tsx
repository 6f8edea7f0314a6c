import { cx } from './cx.ts';
import css from './day-strip.module.css';

/** How a day was: `none` = nobody knows. */
export type DayTone = 'good' | 'bad' | 'none';

/** One mark per day, oldest first. Only to be seen: the same stands beside it in words. */
export function DayStrip({ days }: { days: readonly { key: string; tone: DayTone }[] }) {
  return (
    <div className={css.strip} aria-hidden="true">
      {days.map(({ key, tone }) => (
        <span key={key} className={cx(css.day, css[tone])} />
      ))}
    </div>
  );
}
