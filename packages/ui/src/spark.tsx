import css from './spark.module.css';

/** Sparkline, newest value last. `label` describes it; the numbers stand elsewhere. */
export function Spark({ label, values }: { label: string; values: readonly number[] }) {
  const largest = Math.max(...values);
  return (
    <div className={css.spark} role="img" aria-label={label}>
      {values.map((value, index) => (
        // Values are identified by position.
        // biome-ignore lint/suspicious/noArrayIndexKey: values never move
        <div key={index} style={{ height: `${largest > 0 ? (value / largest) * 100 : 0}%` }} />
      ))}
    </div>
  );
}
