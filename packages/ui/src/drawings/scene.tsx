import { lazy, Suspense } from 'react';
import css from './drawing.module.css';
import type { SceneKind } from './scenes.tsx';

/** If the lines do not load, the space stays empty: the text beside it says everything. */
const Lines = lazy(() =>
  import('./scenes.tsx').then(
    part => ({ default: part.SceneLines }),
    () => ({ default: () => null }),
  ),
);

/** The drawing of a state; decorative beside text, so hidden from screen readers. */
export function Scene({ kind }: { kind: SceneKind }) {
  return (
    <svg className={css.drawing} viewBox="0 0 240 120" aria-hidden="true">
      <Suspense>
        <Lines kind={kind} />
      </Suspense>
    </svg>
  );
}
