import { cx } from '@fixpoint/ui/cx.ts';
import { IconCheck, IconError } from '@fixpoint/ui/icons.tsx';
import { type CSSProperties, useLayoutEffect, useRef, useState } from 'react';
import css from './fixpoint-steps.module.css';

export type FixpointStep = {
  id: string;
  label: string;
  state: 'waiting' | 'running' | 'done' | 'failed';
  /** The state as text, for screen readers. */
  stateLabel: string;
  detail?: string;
};

/** Id of the step with the dot: the running one, `landing` when all are done, else undefined. */
export function dotPlace(steps: readonly FixpointStep[], landing: boolean): string | 'landing' | undefined {
  const running = steps.find(step => step.state === 'running');
  if (running) return running.id;
  return landing && steps.every(step => step.state === 'done') ? 'landing' : undefined;
}

/**
 * The signature moment: the steps are drawn one after the other, and the dot that waited at each
 * lands on the value, set large. Changes are announced politely, without moving the focus.
 */
export function FixpointSteps(props: {
  label: string;
  steps: readonly FixpointStep[];
  landing?: string;
  landingLabel?: string;
}) {
  const { label, steps, landing, landingLabel } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [dotY, setDotY] = useState<number>();
  const place = dotPlace(steps, landing !== undefined);

  // The dot is one element above the list and must follow the layout: language, window width.
  useLayoutEffect(() => {
    const box = frame.current;
    if (!box) return;
    const measure = () => {
      const target = place && box.querySelector<HTMLElement>(`[data-place="${place}"]`);
      if (!target) return setDotY(undefined);
      const { top, height } = target.getBoundingClientRect();
      setDotY(top + height / 2 - box.getBoundingClientRect().top);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, [place]);

  return (
    <div className={css.steps} ref={frame}>
      <ol className={cx(css.list, landing !== undefined && css.lands)} aria-label={label} aria-live="polite">
        {steps.map(step => (
          <li key={step.id} className={cx(css.step, css[step.state])}>
            <span className={css.node} data-place={step.id}>
              {step.state === 'running' && <Orbit />}
              {step.state === 'done' && <IconCheck size="1.5rem" />}
              {step.state === 'failed' && <IconError size="1.5rem" />}
            </span>
            <div>
              <span className={css.label}>{step.label}</span>
              <span className="visually-hidden">{` (${step.stateLabel})`}</span>
              {step.detail && <div className={css.detail}>{step.detail}</div>}
            </div>
          </li>
        ))}
      </ol>
      {/* Always rendered, so that the content below does not move when the dot lands. */}
      <div className={css.landing} role="status">
        {place === 'landing' && (
          <div className={css.landed}>
            {landingLabel && <div className={css.landingLabel}>{landingLabel}</div>}
            <div
              className={cx(css.value, landing?.includes(':') && css.long, 'mono')}
              data-place="landing"
              style={{ '--letters': landing?.length } as CSSProperties}
            >
              {landing}
            </div>
          </div>
        )}
      </div>
      <span
        className={css.dot}
        style={{
          opacity: dotY === undefined ? 0 : 1,
          transform: `translateY(${dotY ?? 0}px) scale(${place === 'landing' ? 1.25 : 1})`,
        }}
      />
    </div>
  );
}

function Orbit() {
  return (
    <svg className={css.orbit} viewBox="0 0 48 48" aria-hidden="true">
      <path d="M2 10C16 10 32 38 46 38M2 24H46M2 38C16 38 32 10 46 10" />
    </svg>
  );
}
