import { lazy, type ReactNode, Suspense, useRef } from 'react';
import { Button } from './button.tsx';
import type { PanelProps } from './dialog-panel.tsx';
import { loadPart } from './lib/chunk.ts';
import { ErrorBoundary } from './lib/error-boundary.tsx';
import { tellMissingPart } from './lib/missing-part.ts';

let arrived = false;
const bringPanel = () =>
  lazy(() =>
    loadPart(async () => {
      const { DialogPanel } = await import('./dialog-panel.tsx');
      arrived = true;
      return { default: DialogPanel };
    }),
  );
let Panel = bringPanel();

/**
 * Nothing is loaded until the first opening; afterwards the panel stays, so that closing can be seen. Where it does not
 * arrive the dialog closes and that is said: the screen stays as it is, and what was typed there.
 */
function LazyPanel(props: PanelProps) {
  const wasOpen = useRef(false);
  wasOpen.current ||= props.open;
  if (!wasOpen.current || !(props.open || arrived)) return null;
  const missing = (error: unknown) => {
    // React keeps that it did not arrive: the next press asks again.
    if (!arrived) Panel = bringPanel();
    tellMissingPart(error);
    props.onClose();
  };
  return (
    <ErrorBoundary fallback={null} resetKey={String(props.open)} onError={missing}>
      <Suspense fallback={null}>
        <Panel {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}

type Opening = { open: boolean; onClose: () => void; title: ReactNode; closeLabel: string };

/** A modal window: Esc and a press outside close it, the focus returns to where it was. */
export function Dialog(props: Opening & { maxWidth?: string; footer?: ReactNode; children: ReactNode }) {
  const { maxWidth = '32rem', ...rest } = props;
  return <LazyPanel {...rest} kind="dialog" width={maxWidth} />;
}

/** Asks before a step that cannot be undone; the words name the thing and what stops working. */
export function ConfirmDialog(
  props: Opening & {
    onConfirm: () => void;
    confirmLabel: ReactNode;
    cancelLabel: ReactNode;
    danger?: boolean;
    busy?: boolean;
    /** There is nothing to confirm yet. */
    blocked?: boolean;
    /** Where the focus goes when what was confirmed took the button away that opened this; null: to that button. */
    focusAfter?: () => HTMLElement | null;
    children: ReactNode;
  },
) {
  const { onConfirm, confirmLabel, cancelLabel, danger, busy, blocked, ...rest } = props;
  // What is on its way cannot be called back: nobody is shown that he keeps what is going.
  const close = () => {
    if (!busy) props.onClose();
  };
  const footer = (
    <>
      <Button variant={danger ? 'danger' : 'primary'} busy={busy} disabled={blocked} onClick={onConfirm}>
        {confirmLabel}
      </Button>
      <Button disabled={busy} onClick={close}>
        {cancelLabel}
      </Button>
    </>
  );
  return <LazyPanel {...rest} onClose={close} kind="dialog" width="30rem" footer={footer} />;
}

/** The side menu of small windows. `width` in pixels (W52: 200). */
export function Drawer(props: Opening & { width?: number; children: ReactNode }) {
  const { width = 200, ...rest } = props;
  return <LazyPanel {...rest} kind="drawer" width={`${width}px`} />;
}
