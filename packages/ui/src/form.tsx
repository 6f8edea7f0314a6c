import type { FormEvent, ReactNode } from 'react';
import css from './form.module.css';

/**
 * A form with our own messages instead of the browser's. Enter submits; `busy` blocks a second
 * submit.
 */
export function Form(props: {
  onSubmit: () => void;
  /** Called when a field gets the focus. */
  onFocus?: () => void;
  busy?: boolean;
  children: ReactNode;
}) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // React passes on what is submitted in a dialog above this form.
    if (event.target !== event.currentTarget) return;
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

/** Row of buttons at the end of a form; stacked on phones. */
export function FormActions({ children }: { children: ReactNode }) {
  return <div className={css.actions}>{children}</div>;
}
