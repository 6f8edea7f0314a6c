import { type ReactNode, useId } from 'react';
import choice from './choice.module.css';
import { cx } from './cx.ts';
import field from './field.module.css';
import css from './radio-panels.module.css';

export type RadioPanelOption<Value extends string> = {
  value: Value;
  title: ReactNode;
  /** At the far end, and only to be seen: logos of a payment method. */
  aside?: ReactNode;
  /** What the option needs. Opens below its radio while it is chosen. */
  panel?: ReactNode;
  /** Shows the panel although another option is chosen. */
  open?: boolean;
  disabled?: boolean;
};

/**
 * A choice between options of one line each; what the chosen one needs opens inside its row. Every
 * panel stays mounted, so that what was typed into it survives another choice.
 */
export function RadioPanels<Value extends string>(props: {
  legend: ReactNode;
  name: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly RadioPanelOption<Value>[];
}) {
  const { name, value, options } = props;
  const prefix = useId();
  return (
    <fieldset className={cx(field.group, css.group)} id={name} tabIndex={-1}>
      <legend className="visually-hidden">{props.legend}</legend>
      {options.map((option, at) => {
        const chosen = option.value === value;
        // The value may hold anything; an ID may not.
        const id = `${prefix}-${at}`;
        return (
          <div key={option.value} className={cx(css.row, chosen && css.chosen)}>
            <label className={css.line} htmlFor={id}>
              <input
                type="radio"
                id={id}
                name={name}
                value={option.value}
                checked={chosen}
                disabled={option.disabled}
                onChange={() => props.onChange(option.value)}
                className={cx(choice.control, choice.radio)}
              />
              <span className={css.title}>{option.title}</span>
              {option.aside && (
                <span className={css.aside} aria-hidden="true">
                  {option.aside}
                </span>
              )}
            </label>
            {option.panel !== undefined && (
              <div className={css.panel} hidden={!chosen && !option.open}>
                {option.panel}
              </div>
            )}
          </div>
        );
      })}
    </fieldset>
  );
}
