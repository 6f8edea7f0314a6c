import { lazy, type ReactNode, Suspense, useLayoutEffect, useRef } from 'react';
import { Button } from './button.tsx';
import type { PanelProps } from './dialog-panel.tsx';
import { loadPart } from './lib/chunk.ts';
import { ErrorBoundary } from './lib/error-boundary.tsx';
import { type FocusPlace, focusPlaceOf } from './lib/focus-place.ts';
import { reportMissingPart } from './lib/missing-part.ts';

let loaded = false;
const createPanel = () =>
  lazy(() =>
    loadPart(async () => {
      const { DialogPanel } = await import('./dialog-panel.tsx');
      loaded = true;
      return { default: DialogPanel };
    }),
  );
let Panel = createPanel();

/**
 * Loads the panel at the first opening and keeps it mounted, so that closing can be animated. If
 * loading fails, the dialog closes and an error is shown; the screen and its input stay.
 */
function LazyPanel(props: Omit<PanelProps, 'opener'>) {
  const opener = useRef<FocusPlace>(undefined);
  // Before the panel has loaded: meanwhile the focus may move, and its element may go.
  useLayoutEffect(() => {
    if (props.open) opener.current = focusPlaceOf(document.activeElement as HTMLElement);
  }, [props.open]);
  const wasOpen = useRef(false);
  wasOpen.current ||= props.open;
  if (!wasOpen.current || !(props.open || loaded)) return null;
  const missing = (error: unknown) => {
    // React caches the failed import; a new lazy component lets the next opening retry.
    if (!loaded) Panel = createPanel();
    reportMissingPart(error);
    props.onClose();
  };
  return (
    <ErrorBoundary fallback={null} resetKey={String(props.open)} onError={missing}>
      <Suspense fallback={null}>
        <Panel {...props} opener={opener} />
      </Suspense>
    </ErrorBoundary>
  );
}

type Opening = {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  closeLabel: string;
  /** Target of the focus if what opened the dialog is gone; null: what opened it. */
  focusAfter?: () => HTMLElement | null;
};

/** A modal dialog: Esc and a click outside close it, and the focus returns. */
export function Dialog(
  props: Opening & {
    maxWidth?: string;
    footer?: ReactNode;
    children: ReactNode;
  },
) {
  const { maxWidth = '32rem', ...rest } = props;
  return <LazyPanel {...rest} kind="dialog" width={maxWidth} />;
}

/**
 * Asks for confirmation of a step that cannot be undone. The text names the thing and the
 * consequence.
 */
export function ConfirmDialog(
  props: Opening & {
    onConfirm: () => void;
    confirmLabel: ReactNode;
    cancelLabel: ReactNode;
    danger?: boolean;
    busy?: boolean;
    /** Disables the confirmation: nothing is chosen yet. */
    blocked?: boolean;
    children: ReactNode;
  },
) {
  const { onConfirm, confirmLabel, cancelLabel, danger, busy, blocked, ...rest } = props;
  // No closing while busy: the request cannot be recalled, and closing would look like a
  // cancellation.
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
