import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import { IconButton } from './button.tsx';
import css from './dock.module.css';
import { IconClose } from './icons.tsx';

/**
 * A panel at the edge of the window that leaves the page usable. Takes the focus; Esc closes it and
 * returns the focus.
 */
export function Dock(props: { title: string; closeLabel: string; onClose: () => void; children: ReactNode }) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    panel.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <section
      ref={panel}
      className={css.dock}
      aria-label={props.title}
      tabIndex={-1}
      onKeyDown={event => event.key === 'Escape' && props.onClose()}
    >
      <div className={css.head}>
        <h2 className={css.title}>{props.title}</h2>
        <IconButton label={props.closeLabel} icon={<IconClose />} onClick={props.onClose} />
      </div>
      <div className={css.body}>{props.children}</div>
    </section>
  );
}

/** A document of another origin, filling the panel. */
export function DockFrame({ title, ...html }: ComponentProps<'iframe'> & { title: string }) {
  return (
    <iframe
      {...html}
      title={title}
      className={css.frame}
      referrerPolicy="no-referrer"
      allow="clipboard-write"
    />
  );
}
