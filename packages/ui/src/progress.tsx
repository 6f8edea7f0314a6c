import { type CSSProperties, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Scene } from './drawings/scene.tsx';
import css from './progress.module.css';

/** Milliseconds a change of screen may take before the bar shows. */
const throttleMs = 200;

/** The bar of a change of screen: runs for at most 5 s of its way and ends with `active`. */
export function ProgressBar({ active, label }: { active: boolean; label: string }) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!active) return setShown(false);
    const timer = setTimeout(() => setShown(true), throttleMs);
    return () => clearTimeout(timer);
  }, [active]);
  return shown ? <div className={`${css.bar} ${css.run}`} role="progressbar" aria-label={label} /> : null;
}

/** Waiting: the lines move, the dot waits. The words are read out. */
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
 * Covers the page while something must not be disturbed: a payment being confirmed. A modal dialog without a way
 * out, so that neither keyboard nor reader can reach what is covered.
 */
export function OverlayLoader({ active, label }: { active: boolean; label: string }) {
  return active ? <Overlay label={label} /> : null;
}

function Overlay({ label }: { label: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  // A layout effect, because its clean-up runs while the dialog still stands: only close() gives the focus back.
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
      // A second Esc would close it in spite of that.
      closedby="none"
    >
      <Loading label={label} />
    </dialog>
  );
}

/**
 * Holds the place of text that is on its way: same height, visible only after 300 ms.
 * `height` is any CSS length; without it the lines decide. Of several beside each other only one has a label.
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
