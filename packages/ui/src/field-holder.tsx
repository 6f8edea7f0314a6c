import { cx } from './cx.ts';
import css from './field.module.css';
import { FieldFrame, type FieldTexts } from './field.tsx';

/**
 * Frame of a field whose content is foreign: a provider's iframe is mounted into the element with
 * this id. `onFocus` passes on the focus that lands on the frame (from an error summary).
 */
export function FieldHolder(
  props: Omit<FieldTexts, 'label'> & {
    label: string;
    id: string;
    busy?: boolean;
    /** The focus is inside the foreign document, where our selectors cannot see it. */
    focused?: boolean;
    onFocus: () => void;
  },
) {
  const { id, label, hint, error, optional, busy, focused, onFocus } = props;
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error} optional={optional} live>
      <div className={cx(css.box, css.foreign, error ? css.invalid : undefined, focused && css.focused)}>
        {/* biome-ignore lint/a11y/useSemanticElements: holds one foreign field */}
        <div
          role="group"
          className={css.foreignField}
          id={id}
          aria-label={label}
          aria-busy={busy}
          aria-describedby={error ? `${id}-error` : undefined}
          tabIndex={-1}
          onFocus={onFocus}
        />
      </div>
    </FieldFrame>
  );
}
