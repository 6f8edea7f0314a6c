import { type ComponentType, lazy, Suspense } from 'react';
import { loadPart } from './chunk.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { tellMissingPart } from './missing-part.ts';

/**
 * A part beside the screen (menu, footer, dialog), loaded when it is first rendered. If that fails,
 * an error is shown; the screen and its input stay.
 */
export function part<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const bring = () => lazy(async () => ({ default: await loadPart(load) }));
  let Part = bring();
  const missing = (error: unknown) => {
    // React caches the failed import; a new lazy component lets the next render retry.
    Part = bring();
    tellMissingPart(error);
  };
  return props => (
    <ErrorBoundary fallback={null} onError={missing}>
      <Suspense>
        <Part {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}
