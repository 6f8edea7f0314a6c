import { type CSSProperties, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Scene } from './drawings/scene.tsx';
import css from './progress.module.css';

/** Delay before the bar shows, ms. */
const DELAY_MS = 200;

/** Progress bar of a change of screen. Its animation takes 5 s; it ends with `active`. */
export function ProgressBar({ active, label }: { active: boolean; label: string }) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!active) return setShown(false);
    const timer = setTimeout(() => setShown(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, [active]);
  return shown ? <div className={`${css.bar} ${css.run}`} role="progressbar" aria-label={label} /> : null;
}

/** Loading state: the lines move, the dot waits. The label is read out. */
export function Loading({ label }: { label: string }) {
  return (
    <div className={css.loading} role="status">
      <div>
        <Scene kind="loading" />
      </div>
      <p>{label}</p>
    </div>
  );
}

/**
 * Covers the page during a step that must not be disturbed, such as the confirmation of a payment.
 * A modal dialog without a way out, so that neither keyboard nor screen reader reaches the page.
 */
export function OverlayLoader({ active, label }: { active: boolean; label: string }) {
  return active ? <Overlay label={label} /> : null;
}

function Overlay({ label }: { label: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  // A layout effect: its clean-up runs while the dialog is still mounted, and only close() returns
  // the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={css.overlay}
      aria-label={label}
      onCancel={event => event.preventDefault()}
      // Otherwise a second Esc would close it.
      closedby="none"
    >
      <Loading label={label} />
    </dialog>
  );
}

/**
 * Placeholder of the same height as the text being loaded; visible after 300 ms. `height` is any
 * CSS length; the default follows from `lines`. Of several placeholders only one gets a label.
 */
export function Skeleton(props: { lines?: number; height?: string; label?: string }) {
  const { lines = 3, height, label } = props;
  const style: CSSProperties = { minHeight: height ?? `${lines * 1.55}em` };
  return (
    <div
      className={css.skeleton}
      style={style}
      role="status"
      aria-label={label}
      aria-hidden={label === undefined}
    >
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its position
        <span key={index} />
      ))}
    </div>
  );
}
