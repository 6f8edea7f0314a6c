import { lazy, Suspense } from 'react';
import css from './drawing.module.css';
import type { SceneKind } from './scenes.tsx';

/** Without its lines the place stays empty: the words beside it say everything. */
const Lines = lazy(() =>
  import('./scenes.tsx').then(
    part => ({ default: part.SceneLines }),
    () => ({ default: () => null }),
  ),
);

/** The drawing of a state, in the one stroke style; always beside words, so hidden from readers. */
export function Scene({ kind }: { kind: SceneKind }) {
  return (
    <svg className={css.drawing} viewBox="0 0 240 120" aria-hidden="true">
      <Suspense>
        <Lines kind={kind} />
      </Suspense>
    </svg>
  );
}
