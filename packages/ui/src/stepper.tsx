import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { IconCheck } from './icons.tsx';
import css from './stepper.module.css';

/** Of all steps one is `current`. `next` comes after it and can be filled already; `later` is dimmed and inert. */
export type StepState = 'current' | 'done' | 'next' | 'later';

/** Numbered steps on one page. */
export function Stepper({ children }: { children: ReactNode }) {
  return <ol className={css.stepper}>{children}</ol>;
}

export function Step(props: {
  number: number;
  title: ReactNode;
  state: StepState;
  /** The state in a word, for readers: "done". */
  stateLabel: string;
  /** What was chosen: with it the step is folded, and shows it instead of the content. */
  summary?: ReactNode;
  /** "Change", beside a folded step's title. */
  action?: ReactNode;
  children: ReactNode;
}) {
  const { number, title, state, stateLabel, summary, action, children } = props;
  return (
    <li className={cx(css.step, css[state])} aria-current={state === 'current' ? 'step' : undefined}>
      <div className={css.rail} aria-hidden="true">
        <span className={css.number}>{number}</span>
      </div>
      <div>
        <div className={css.head}>
          <h2 className={css.title}>
            {title}
            {state === 'done' && <IconCheck size="0.9em" />}
            <span className="visually-hidden">({stateLabel})</span>
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
