import { type ComponentType, lazy, Suspense } from 'react';
import { loadPart } from '../lib/chunk.ts';
import { ErrorBoundary } from '../lib/error-boundary.tsx';
import { showError } from './snack.ts';

/**
 * A part beside the screen that is brought when it is first drawn: menu, footer, dialog. One that does not arrive is
 * missing, and said to be; the screen stays as it is, and what was typed there (U17).
 */
export function part<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Part = lazy(async () => ({ default: await loadPart(load) }));
  return props => (
    <ErrorBoundary fallback={null} onError={showError}>
      <Suspense>
        <Part {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}
