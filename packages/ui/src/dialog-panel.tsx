import { Dialog as Base } from '@base-ui/react/dialog';
import type { CSSProperties, ReactNode } from 'react';
import { IconButton } from './button.tsx';
import css from './dialog.module.css';
import { IconClose } from './icons.tsx';

export type PanelProps = {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  closeLabel: string;
  kind: 'dialog' | 'drawer';
  /** Any CSS length. */
  width: string;
  footer?: ReactNode;
  /** Target of the focus after closing; null or absent: the element that opened it. */
  focusAfter?: () => HTMLElement | null;
  children: ReactNode;
};

/**
 * The part that needs the primitives: focus trap, Esc, return of focus, no scrolling behind. Loaded
 * on first use.
 */
export function DialogPanel(props: PanelProps) {
  const { open, onClose, title, closeLabel, kind, width, footer, focusAfter, children } = props;
  const content = (
    <Base.Popup
      className={kind === 'drawer' ? css.drawer : css.popup}
      style={{ '--max': width } as CSSProperties}
      finalFocus={focusAfter}
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
