import { lazy, type ReactElement, type ReactNode, Suspense, useState } from 'react';
import { Button, IconButton } from './button.tsx';
import { cx } from './cx.ts';
import { IconChevronDown } from './icons.tsx';
import css from './menu.module.css';

export type MenuItem = {
  label: string;
  icon?: ReactNode;
  href?: string;
  onSelect?: () => void;
  danger?: boolean;
  /** The language of the label, where it is not the page's. */
  lang?: string;
};
export type MenuOption = { value: string; label: string; detail?: string; lang?: string };

const load = () => import('./menu-panel.tsx');
const LazyActionMenu = lazy(() => load().then(module => ({ default: module.ActionMenu })));
const LazyChoiceMenu = lazy(() => load().then(module => ({ default: module.ChoiceMenu })));

/**
 * Until the first press the trigger is a plain button; the press fetches the real menu, which opens by itself.
 * Pointing at the button or focusing it fetches ahead.
 */
function OnFirstPress(props: { trigger: ReactElement<TriggerProps>; children: ReactNode }) {
  const [wanted, setWanted] = useState(false);
  const plain = (
    // biome-ignore lint/a11y/noStaticElementInteractions: catches the events of the button inside
    // biome-ignore lint/a11y/useKeyWithClickEvents: a button's click is Enter and Space too
    <span
      style={{ display: 'contents' }}
      onPointerEnter={load}
      onFocus={load}
      onClick={() => setWanted(true)}
    >
      {props.trigger}
    </span>
  );
  return wanted ? <Suspense fallback={plain}>{props.children}</Suspense> : plain;
}

type TriggerProps = { 'aria-haspopup'?: 'menu'; 'aria-expanded'?: boolean };
const closed: TriggerProps = { 'aria-haspopup': 'menu', 'aria-expanded': false };

/** A button with things to do or places to go. `iconOnly` shows just the icon, named by `label`. */
export function Menu(props: {
  label: string;
  icon?: ReactNode;
  iconOnly?: boolean;
  items: readonly (MenuItem | 'separator')[];
  header?: ReactNode;
  align?: 'start' | 'end';
}) {
  const { label, icon, iconOnly, items, header, align = 'end' } = props;
  const trigger = iconOnly ? (
    <IconButton label={label} icon={icon} {...closed} />
  ) : (
    <Button variant="quiet" icon={icon} iconEnd={<IconChevronDown />} {...closed}>
      {label}
    </Button>
  );
  return (
    <OnFirstPress trigger={trigger}>
      <LazyActionMenu trigger={trigger} align={align} items={items} header={header} />
    </OnFirstPress>
  );
}

/** A button that shows the chosen one of several and opens the list: the language switch. */
export function MenuSelect(props: {
  label: string;
  value: string;
  options: readonly MenuOption[];
  onChange: (value: string) => void;
  icon?: ReactNode;
  /** Below 480 px only the icon is shown. */
  hideValue?: boolean;
  align?: 'start' | 'end';
}) {
  const { label, value, options, onChange, icon, hideValue, align = 'end' } = props;
  const chosen = options.find(option => option.value === value);
  const trigger = (
    <Button variant="quiet" icon={icon} iconEnd={<IconChevronDown />} {...closed}>
      <span className="visually-hidden">{label}: </span>
      <span className={cx(hideValue && css.collapses)} lang={chosen?.lang}>
        {chosen?.label ?? value}
      </span>
    </Button>
  );
  return (
    <OnFirstPress trigger={trigger}>
      <LazyChoiceMenu trigger={trigger} align={align} value={value} options={options} onChange={onChange} />
    </OnFirstPress>
  );
}
