import css from './field.module.css';

/** Outline of a field that is still loading; nothing to a screen reader. */
export const FieldOutline = ({ label }: { label: string }) => (
  <div className={css.field} aria-hidden="true">
    <span className={css.label}>{label}</span>
    <span className={css.box} />
  </div>
);
