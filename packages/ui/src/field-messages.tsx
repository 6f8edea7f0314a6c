import type { ReactNode } from 'react';
import css from './field.module.css';
import { IconError } from './icons.tsx';

export function FieldHint({ id, children }: { id: string; children: ReactNode }) {
  if (!children) return null;
  return (
    <div className={css.hint} id={`${id}-hint`}>
      {children}
    </div>
  );
}

export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  if (!children) return null;
  return (
    <div className={css.error} id={`${id}-error`}>
      <IconError />
      <span>{children}</span>
    </div>
  );
}
