import { Dialog as Base } from '@base-ui/react/dialog';
import { type CSSProperties, type ReactNode, type RefObject, useRef } from 'react';
import { IconButton } from './button.tsx';
import css from './dialog.module.css';
import { IconClose } from './icons.tsx';
import { type FocusPlace, headlineNear } from './lib/focus-place.ts';

export type PanelProps = {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  closeLabel: string;
  kind: 'dialog' | 'drawer';
  /** Any CSS length. */
  width: string;
  footer?: ReactNode;
  /** Where the focus was when the dialog was asked for; it returns there, or to the headline near it. */
  opener: RefObject<FocusPlace | undefined>;
  /** Target of the focus if what opened the dialog is gone; null: what opened it. */
  focusAfter?: () => HTMLElement | null;
  children: ReactNode;
};

/**
 * The part that needs the primitives: focus trap, Esc, return of focus, no scrolling behind. Loaded
 * on first use.
 */
export function DialogPanel(props: PanelProps) {
  const { open, onClose, title, closeLabel, kind, width, footer, opener, focusAfter, children } = props;
  const popup = useRef<HTMLDivElement>(null);
  const returnFocus = () => {
    const { activeElement, body } = document;
    // Something else has taken the focus meanwhile, such as a new screen.
    if (activeElement !== body && !popup.current?.contains(activeElement)) return false;
    const place = opener.current;
    const before = place?.element.isConnected ? place.element : place && headlineNear(place);
    return focusAfter?.() ?? (before === body ? null : (before ?? null));
  };
  const content = (
    <Base.Popup
      ref={popup}
      className={kind === 'drawer' ? css.drawer : css.popup}
      style={{ '--max': width } as CSSProperties}
      finalFocus={returnFocus}
    >
      <div className={css.head}>
        <Base.Title>{title}</Base.Title>
        <Base.Close render={<IconButton label={closeLabel} icon={<IconClose />} />} />
      </div>
      <div className={css.body}>{children}</div>
      {footer && <div className={css.foot}>{footer}</div>}
    </Base.Popup>
  );
  return (
    <Base.Root open={open} onOpenChange={next => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={css.backdrop} />
        {kind === 'drawer' ? content : <Base.Viewport className={css.viewport}>{content}</Base.Viewport>}
      </Base.Portal>
    </Base.Root>
  );
}
