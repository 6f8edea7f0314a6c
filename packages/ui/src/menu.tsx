import {
  type KeyboardEvent,
  type ReactNode,
  type ToggleEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { Button } from './button.tsx';
import { cx } from './cx.ts';
import { IconCheck, IconChevronDown } from './icons.tsx';
import css from './menu.module.css';
import { menuMove } from './menu-keys.ts';

export type MenuItem = {
  label: string;
  href?: string;
  /** Opens another site in a window of its own. */
  external?: boolean;
  onSelect?: () => void;
};
/** `lang`: language of the label, if not the page's. */
export type MenuOption = { value: string; label: string; lang?: string };

/** Pixels between button and menu, and between menu and the window's edge. */
const GAP = 6;
const EDGE = 8;

type TriggerProps = {
  id: string;
  popoverTarget: string;
  'aria-haspopup': 'menu';
  'aria-expanded': boolean;
  onKeyDown: (event: KeyboardEvent) => void;
};

/**
 * Menu button (WAI-ARIA) on the platform's popover. The browser does stacking, Esc, closing by a
 * click elsewhere and return of focus; position, arrows and letters are done here.
 */
function MenuFrame(props: {
  align: 'start' | 'end';
  trigger: (props: TriggerProps) => ReactNode;
  children: ReactNode;
}) {
  const { align, trigger, children } = props;
  const id = useId();
  const popup = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const items = () => [...(popup.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])];
  const hide = () => popup.current?.hidePopover();
  // The menu is positioned in the window: when the page scrolls, it would lose its button.
  useEffect(() => {
    if (!open) return;
    const close = () => popup.current?.hidePopover();
    window.addEventListener('scroll', close, { passive: true });
    return () => window.removeEventListener('scroll', close);
  }, [open]);

  const place = (event: ToggleEvent) => {
    const button = document.getElementById(`${id}-button`);
    if (event.newState !== 'open' || !button || !popup.current) return;
    const at = button.getBoundingClientRect();
    const { width: pageWidth } = document.documentElement.getBoundingClientRect();
    const { clientHeight } = document.documentElement;
    const below = clientHeight - at.bottom - GAP - EDGE;
    const above = at.top - GAP - EDGE;
    const up = below < 240 && above > below;
    Object.assign(popup.current.style, {
      top: up ? 'auto' : `${at.bottom + GAP}px`,
      bottom: up ? `${clientHeight - at.top + GAP}px` : 'auto',
      left: align === 'start' ? `${Math.max(EDGE, at.left)}px` : 'auto',
      right: align === 'end' ? `${Math.max(EDGE, pageWidth - at.right)}px` : 'auto',
      maxHeight: `${up ? above : below}px`,
      minWidth: `${at.width}px`,
    });
  };
  const toggled = (event: ToggleEvent) => {
    const isOpen = event.newState === 'open';
    setOpen(isOpen);
    if (!isOpen) return;
    const all = items();
    (all.find(item => item.ariaChecked === 'true') ?? all[0])?.focus({ preventScroll: true });
  };
  const move = (event: KeyboardEvent) => {
    if (event.key === 'Tab') return hide();
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = menuMove(
      event.key,
      at,
      all.map(item => item.textContent),
    );
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    all[to]?.focus();
  };
  const openByArrow = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    popup.current?.showPopover();
  };

  return (
    <>
      {trigger({
        id: `${id}-button`,
        popoverTarget: id,
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        onKeyDown: openByArrow,
      })}
      <div ref={popup} id={id} className={css.popup} popover="auto" onBeforeToggle={place} onToggle={toggled}>
        <div
          className={css.list}
          role="menu"
          tabIndex={-1}
          aria-labelledby={`${id}-button`}
          onKeyDown={move}
          onClick={hide}
        >
          {children}
        </div>
      </div>
    </>
  );
}

/** A menu of actions or links. */
export function Menu(props: {
  label: string;
  icon?: ReactNode;
  items: readonly (MenuItem | 'separator')[];
  align?: 'start' | 'end';
}) {
  const { label, icon, items, align = 'end' } = props;
  const trigger = (aria: TriggerProps) => (
    <Button variant="quiet" className={css.trigger} icon={icon} iconEnd={<IconChevronDown />} {...aria}>
      {label}
    </Button>
  );
  return (
    <MenuFrame trigger={trigger} align={align}>
      {items.map((item, index) =>
        item === 'separator' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list
          <hr key={index} className={css.separator} />
        ) : (
          <Item key={item.label} {...item} />
        ),
      )}
    </MenuFrame>
  );
}

function Item({ label, href, external, onSelect }: MenuItem) {
  const shared = {
    role: 'menuitem',
    tabIndex: -1,
    className: css.item,
    onClick: onSelect,
    children: label,
  };
  if (href === undefined) return <button type="button" {...shared} />;
  return <a href={href} {...(external && { target: '_blank', rel: 'noreferrer' })} {...shared} />;
}

/** A button that shows the chosen option and opens the list: the language switch. */
export function MenuSelect(props: {
  label: string;
  value: string;
  options: readonly MenuOption[];
  onChange: (value: string) => void;
  icon?: ReactNode;
  /** In a narrow window only the icon is shown; screen readers always read the value. */
  hideValue?: boolean;
  align?: 'start' | 'end';
}) {
  const { label, value, options, onChange, icon, hideValue, align = 'end' } = props;
  const chosen = options.find(option => option.value === value);
  const trigger = (aria: TriggerProps) => (
    <Button variant="quiet" icon={icon} iconEnd={<IconChevronDown />} {...aria}>
      <span className="visually-hidden">{`${label}: `}</span>
      <span className={cx(css.own, hideValue && css.collapses)} lang={chosen?.lang}>
        {chosen?.label ?? value}
      </span>
    </Button>
  );
  return (
    <MenuFrame trigger={trigger} align={align}>
      {options.map(option => (
        <button
          key={option.value}
          type="button"
          role="menuitemradio"
          aria-checked={option.value === value}
          tabIndex={-1}
          className={css.item}
          onClick={() => onChange(option.value)}
        >
          <span lang={option.lang}>{option.label}</span>
          {option.value === value && <IconCheck />}
        </button>
      ))}
    </MenuFrame>
  );
}
