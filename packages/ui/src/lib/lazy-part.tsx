import { type ComponentType, lazy, Suspense } from 'react';
import { loadPart } from './chunk.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { reportMissingPart } from './missing-part.ts';

/**
 * A part beside the screen (menu, footer, dialog), loaded when it is first rendered. If that fails,
 * an error is shown; the screen and its input stay.
 */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const createLazy = () => lazy(async () => ({ default: await loadPart(load) }));
  let Part = createLazy();
  const missing = (error: unknown) => {
    // React caches the failed import; a new lazy component lets the next render retry.
    Part = createLazy();
    reportMissingPart(error);
  };
  return props => (
    <ErrorBoundary fallback={null} onError={missing}>
      <Suspense>
        <Part {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}
