import { cx } from './cx.ts';
import css from './meter.module.css';

/** How much of an amount is used. `text` says it in words and is what readers hear; the bar may be overfull. */
export function Meter(props: {
  label: string;
  value: number;
  max: number;
  text: string;
  tone?: 'warn' | 'bad';
}) {
  const { label, value, max, text, tone } = props;
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0;
  return (
    <div className={css.meter}>
      <div className={css.head}>
        <span className={css.label}>{label}</span>
        <span className="tabular">{text}</span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: the platform's meter cannot be drawn in one look */}
      <div
        className={css.track}
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={max}
        aria-valuenow={Math.min(value, max)}
        aria-valuetext={text}
      >
        <div className={cx(css.fill, tone && css[tone])} style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  );
}
