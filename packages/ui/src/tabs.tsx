import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import css from './tabs.module.css';

export type TabItem = { id: string; label: ReactNode; icon?: ReactNode; panel: ReactNode };

const moves: Record<string, (at: number, count: number) => number> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/**
 * Several views of the same thing, such as set-up per device. Arrows move, one tab stop (WAI-ARIA
 * tabs).
 */
export function Tabs(props: {
  label: string;
  items: readonly TabItem[];
  /** Tab that is open at first. Default: the first one. */
  first?: string;
  value?: string;
  onChange?: (id: string) => void;
}) {
  const { label, items, first = items[0]?.id, onChange } = props;
  const [own, setOwn] = useState(first);
  const prefix = useId();
  const list = useRef<HTMLDivElement>(null);
  const chosen = props.value ?? own;
  const choose = (id: string) => {
    setOwn(id);
    onChange?.(id);
  };
  const move = (event: KeyboardEvent) => {
    const to = moves[event.key]?.(
      items.findIndex(item => item.id === chosen),
      items.length,
    );
    if (to === undefined) return;
    event.preventDefault();
    choose(items[to]!.id);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[to]?.focus();
  };
  const current = items.find(item => item.id === chosen);
  return (
    <div>
      <div className={css.list} role="tablist" aria-label={label} ref={list}>
        {items.map(item => (
          <button
            key={item.id}
            type="button"
            role="tab"
            id={`${prefix}-${item.id}`}
            className={css.tab}
            aria-selected={item.id === chosen}
            aria-controls={`${prefix}-panel`}
            tabIndex={item.id === chosen ? 0 : -1}
            onClick={() => choose(item.id)}
            onKeyDown={move}
          >
            {item.icon}
            <span>{item.label}</span>
          </button>
        ))}
      </div>
      <div
        className={css.panel}
        role="tabpanel"
        id={`${prefix}-panel`}
        aria-labelledby={`${prefix}-${chosen}`}
      >
        {current?.panel}
      </div>
    </div>
  );
}
