import { type ReactNode, useId } from 'react';
import css from './choice.module.css';
import { cx } from './cx.ts';
import field from './field.module.css';
import { FieldError } from './field-messages.tsx';

export type RadioCardOption<Value extends string> = {
  value: Value;
  title: ReactNode;
  /** After the title, muted: the country of a location. */
  beside?: ReactNode;
  detail?: ReactNode;
  /** At the far end: a price, the logos of a payment method. */
  aside?: ReactNode;
  badge?: ReactNode;
  icon?: ReactNode;
  disabled?: boolean;
};

/**
 * A choice between options with a description each. Native radios: one tab stop, arrows move the
 * choice.
 */
export function RadioCards<Value extends string>(props: {
  legend: ReactNode;
  hideLegend?: boolean;
  name: string;
  value: Value | undefined;
  onChange: (value: Value) => void;
  options: RadioCardOption<Value>[];
  columns?: 1 | 2 | 3 | 4;
  error?: ReactNode;
}) {
  const { name, value, options, columns, error } = props;
  const prefix = useId();
  return (
    <fieldset
      className={field.group}
      id={name}
      tabIndex={-1}
      aria-describedby={error ? `${name}-error` : undefined}
    >
      <legend className={props.hideLegend ? 'visually-hidden' : undefined}>{props.legend}</legend>
      <FieldError id={name}>{error}</FieldError>
      <div className={cx(css.cards, columns && css[`columns${columns}`])}>
        {options.map(option => {
          const id = `${prefix}-${option.value}`;
          return (
            <label key={option.value} className={css.card} htmlFor={id}>
              <input
                type="radio"
                id={id}
                name={name}
                value={option.value}
                checked={option.value === value}
                disabled={option.disabled}
                aria-invalid={error ? true : undefined}
                onChange={() => props.onChange(option.value)}
                className={cx(css.control, css.radio)}
              />
              <span className={css.cardLine}>
                <span className={css.cardBody}>
                  <span className={css.cardTitle}>
                    {option.icon && <span className={css.icon}>{option.icon}</span>}
                    <span>{option.title}</span>
                    {option.beside && <span className={css.beside}>{option.beside}</span>}
                    {option.badge}
                  </span>
                  {option.detail !== undefined && <span className={css.cardDetail}>{option.detail}</span>}
                </span>
                {option.aside && <span className="tabular">{option.aside}</span>}
              </span>
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}
