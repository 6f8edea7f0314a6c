import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { IconCheck, IconError } from './icons.tsx';
import css from './stepper.module.css';

/**
 * Exactly one step is `current`. `next` follows it and can be filled in already; `later` is dimmed
 * and inert.
 */
export type StepState = 'current' | 'done' | 'next' | 'later';

/** Numbered steps on one page. */
export function Stepper({ children }: { children: ReactNode }) {
  return <ol className={css.stepper}>{children}</ol>;
}

export function Step(props: {
  number: number;
  title: ReactNode;
  state: StepState;
  /** The state as text for screen readers: "done"; empty for one that can be filled in already. */
  stateLabel: string;
  /** Says that something in it has to be corrected. */
  wrong?: string | false;
  /** What was chosen. Folds the step and replaces its content. */
  summary?: ReactNode;
  /** Button beside a folded step's title: "Change". */
  action?: ReactNode;
  children: ReactNode;
}) {
  const { number, title, state, stateLabel, wrong, summary, action, children } = props;
  return (
    <li
      className={cx(css.step, css[state], wrong && css.wrong)}
      aria-current={state === 'current' ? 'step' : undefined}
    >
      <div className={css.rail} aria-hidden="true">
        <span className={css.number}>{number}</span>
      </div>
      <div>
        <div className={css.head}>
          <h2 className={css.title}>
            <span>{title}</span>
            {state === 'done' && !wrong && <IconCheck size="0.9em" />}
            {wrong && <IconError size="0.9em" />}
            {(wrong || stateLabel) && <span className="visually-hidden">{`(${wrong || stateLabel})`}</span>}
          </h2>
          {summary && action && <div className={css.action}>{action}</div>}
        </div>
        {summary ? (
          <div className={css.summary}>{summary}</div>
        ) : (
          <div className={css.content} inert={state === 'later'}>
            {children}
          </div>
        )}
      </div>
    </li>
  );
}
