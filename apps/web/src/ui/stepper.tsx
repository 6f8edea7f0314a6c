import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { IconCheck } from './icons.tsx';
import css from './stepper.module.css';

/** `later` is visible but dimmed and inert; `done` folds to its summary with a way back. */
export type StepState = 'current' | 'done' | 'later';

/** Numbered steps on one page (U58). */
export function Stepper({ children }: { children: ReactNode }) {
  return <ol className={css.stepper}>{children}</ol>;
}

export function Step(props: {
  number: number;
  title: ReactNode;
  state: StepState;
  /** The state in a word, for readers: "done". */
  stateLabel: string;
  /** What was chosen; shown instead of the content once done. */
  summary?: ReactNode;
  /** "Change", beside a done step's title. */
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
          {state === 'done' && action && <div className={css.action}>{action}</div>}
        </div>
        {state === 'done' && summary && <div className={css.summary}>{summary}</div>}
        {state !== 'done' && (
          <div className={css.content} inert={state === 'later'}>
            {children}
          </div>
        )}
      </div>
    </li>
  );
}
