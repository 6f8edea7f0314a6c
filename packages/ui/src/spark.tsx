import css from './spark.module.css';

/** Amounts in a row as a small picture, the newest last. `label` says what it shows; the numbers stand elsewhere. */
export function Spark({ label, values }: { label: string; values: readonly number[] }) {
  const largest = Math.max(...values);
  return (
    <div className={css.spark} role="img" aria-label={label}>
      {values.map((value, index) => (
        // A value is its position.
        // biome-ignore lint/suspicious/noArrayIndexKey: nothing moves in it
        <div key={index} style={{ height: `${largest > 0 ? (value / largest) * 100 : 0}%` }} />
      ))}
    </div>
  );
}
