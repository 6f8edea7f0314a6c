import { useId, useRef } from 'react';
import { IconInfo } from './icons.tsx';
import css from './tooltip.module.css';

/** Distance from the window's edge and from the button, in pixels. */
const edge = 16;
const distance = 6;

/**
 * A remark on demand, behind a small button: pointing, focusing and pressing show it, Esc hides it, and it can be
 * pointed at (WCAG 1.4.13). The platform's popover keeps it above everything; nothing has to be loaded for it.
 */
export function Tooltip({ text, label }: { text: string; label: string }) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const tip = useRef<HTMLSpanElement>(null);
  const show = () => {
    const [from, box] = [button.current, tip.current];
    if (!from || !box) return;
    box.showPopover();
    const at = from.getBoundingClientRect();
    const middle = at.left + at.width / 2 - box.offsetWidth / 2;
    const left = Math.max(edge, Math.min(middle, window.innerWidth - box.offsetWidth - edge));
    const above = at.top - box.offsetHeight - distance;
    box.style.left = `${left}px`;
    box.style.top = `${above > edge ? above : at.bottom + distance}px`;
  };
  const hide = () => tip.current?.hidePopover();
  return (
    <span className={css.anchor} onPointerEnter={show} onPointerLeave={hide}>
      <button
        ref={button}
        type="button"
        className={css.button}
        aria-label={label}
        aria-describedby={id}
        onFocus={show}
        onBlur={hide}
        onClick={show}
        onKeyDown={event => event.key === 'Escape' && hide()}
      >
        <IconInfo />
      </button>
      <span ref={tip} className={css.tip} id={id} role="tooltip" popover="manual">
        {text}
      </span>
    </span>
  );
}
