import { useId, useState } from 'react';
import { applyTheme, readTheme, type Theme } from './theme.ts';
import css from './theme-switch.module.css';
import { IconMoon, IconSun, IconSystem } from './topic-icons.tsx';

const icons = { system: IconSystem, light: IconSun, dark: IconMoon };

/** Switches between system, light and dark. The choice is stored in this browser. */
export function ThemeSwitch({ labels }: { labels: Record<Theme | 'group', string> }) {
  const [theme, setTheme] = useState(readTheme);
  const name = useId();
  const choose = (next: Theme) => {
    applyTheme(next);
    setTheme(next);
  };
  return (
    <fieldset className={css.switch}>
      <legend className="visually-hidden">{labels.group}</legend>
      {(['system', 'light', 'dark'] as const).map(value => {
        const Icon = icons[value];
        return (
          <label key={value} className={css.option} title={labels[value]}>
            <input
              type="radio"
              name={name}
              aria-label={labels[value]}
              checked={theme === value}
              onChange={() => choose(value)}
            />
            <Icon />
          </label>
        );
      })}
    </fieldset>
  );
}
