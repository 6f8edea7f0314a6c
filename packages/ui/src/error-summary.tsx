import { type MouseEvent, useEffect, useRef } from 'react';
import css from './form.module.css';
import { IconError } from './icons.tsx';

/** `id` of the field, and the text of its error. */
export type FormError = { id: string; text: string };

/**
 * All errors of a form, linked to their fields. Takes the focus when `attempt`, the number of
 * submits so far, changes and there are errors.
 */
export function ErrorSummary(props: { title: string; errors: readonly FormError[]; attempt: number }) {
  const { title, errors, attempt } = props;
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs per attempt, not per change of errors
  useEffect(() => box.current?.focus(), [attempt]);
  if (errors.length === 0) return null;

  // Focuses by script: the URL's hash belongs to the router.
  const go = (event: MouseEvent, id: string) => {
    event.preventDefault();
    const field = document.getElementById(id);
    field?.focus();
    field?.scrollIntoView({ block: 'center' });
  };
  return (
    <div ref={box} className={css.summary} role="alert" tabIndex={-1}>
      <h2 className={css.summaryTitle}>
        <IconError />
        <span>{title}</span>
      </h2>
      <ul>
        {errors.map(error => (
          <li key={error.id}>
            <a href={`#${error.id}`} onClick={event => go(event, error.id)}>
              {error.text}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
