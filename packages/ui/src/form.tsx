import type { FormEvent, ReactNode } from 'react';
import css from './form.module.css';

/**
 * Our own messages instead of the browser's bubbles, Enter submits, and no second submit while `busy`.
 */
export function Form(props: {
  onSubmit: () => void;
  /** A field got the focus. */
  onFocus?: () => void;
  busy?: boolean;
  children: ReactNode;
}) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!props.busy) props.onSubmit();
  };
  return (
    <form
      noValidate
      className={css.form}
      onSubmit={submit}
      onFocus={props.onFocus}
      aria-busy={props.busy || undefined}
    >
      {props.children}
    </form>
  );
}

/** The row of buttons that ends a form; one below the other on phones. */
export function FormActions({ children }: { children: ReactNode }) {
  return <div className={css.actions}>{children}</div>;
}
